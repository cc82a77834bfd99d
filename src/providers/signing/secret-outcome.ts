import type { VerificationReason } from '../../core/proof/verification.ts';

/**
 * The result of checking a request with one secret: null for success, otherwise the failure reason.
 */
export type SecretOutcome = FailureReason | null;

type FailureReason = Exclude<VerificationReason, 'edited' | 'url_mismatch' | 'body_reserialized'>;

/** The reasons, most helpful first. */
const HELPFUL: readonly FailureReason[] = [
  'timestamp_too_old',
  'timestamp_in_future',
  'signature_mismatch',
  'signature_malformed',
  'signature_missing',
  'key_unavailable',
  'secret_unreadable',
];

/** Returns null if one outcome is a success, otherwise the most helpful reason. */
export function anyOf(outcomes: readonly SecretOutcome[]): SecretOutcome {
  if (outcomes.includes(null)) return null;
  return HELPFUL.find((reason) => outcomes.includes(reason)) ?? 'signature_missing';
}
