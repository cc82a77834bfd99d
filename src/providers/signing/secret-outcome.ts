import type { VerificationReason } from '../../core/proof/verification.ts';

/**
 * The result of checking a request with one secret: null if it passes, otherwise the reason why
 * not.
 */
export type SecretOutcome = FailureReason | null;

type FailureReason = Exclude<VerificationReason, 'edited' | 'url_mismatch' | 'body_reserialized'>;

/** The reasons, the most helpful first. */
const HELPFUL: readonly FailureReason[] = [
  'timestamp_too_old',
  'timestamp_in_future',
  'signature_mismatch',
  'signature_malformed',
  'signature_missing',
  'key_unavailable',
  'secret_unreadable',
];

/** Returns the outcome of several tries. One success is enough. */
export function anyOf(outcomes: readonly SecretOutcome[]): SecretOutcome {
  if (outcomes.includes(null)) return null;
  return HELPFUL.find((reason) => outcomes.includes(reason)) ?? 'signature_missing';
}
