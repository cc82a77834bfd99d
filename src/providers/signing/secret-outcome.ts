import type { VerificationReason } from '../../core/proof/verification.ts';

/** What one secret says of a request: null when it fits, otherwise why not. */
export type SecretOutcome = FailureReason | null;

type FailureReason = Exclude<VerificationReason, 'edited' | 'url_mismatch' | 'body_reserialized'>;

/** The reasons, the one that helps most first. */
const HELPFUL: readonly FailureReason[] = [
  'timestamp_too_old',
  'timestamp_in_future',
  'signature_mismatch',
  'signature_malformed',
  'signature_missing',
  'key_unavailable',
  'secret_unreadable',
];

/** The outcome of several tries, any of which may fit. */
export function anyOf(outcomes: readonly SecretOutcome[]): SecretOutcome {
  if (outcomes.includes(null)) return null;
  return HELPFUL.find((reason) => outcomes.includes(reason)) ?? 'signature_missing';
}
