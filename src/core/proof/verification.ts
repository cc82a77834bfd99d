import { CodedNames, type NameOf } from '../coded-names.ts';

/**
 * The result of checking a request against its endpoint's source:
 *
 * - `verified`: the signature fits and covers the body;
 * - `authenticated`: a token, a password or a signature fits, but it doesn't cover the whole body;
 * - `failed`: nothing fits;
 * - `unverified`: nothing was checked.
 */
export const VERIFICATION_STATE = new CodedNames({
  unverified: 0,
  verified: 1,
  authenticated: 2,
  failed: 3,
});
export type VerificationState = NameOf<typeof VERIFICATION_STATE>;

/** Why a request failed verification, or wasn't checked. */
export const VERIFICATION_REASONS = [
  'signature_missing',
  'signature_mismatch',
  'signature_malformed',
  'timestamp_too_old',
  'timestamp_in_future',
  'url_mismatch',
  'body_reserialized',
  'secret_unreadable',
  'key_unavailable',
  'edited',
] as const;
export type VerificationReason = (typeof VERIFICATION_REASONS)[number];

/** The verdict on a request's sender. It never changes. */
export interface Verification {
  state: VerificationState;
  /** The provider of the endpoint's source when the request came. Null if there was no source. */
  provider: string | null;
  /** The number of the secret that fitted, from 1. Null if none did. */
  secret: number | null;
  reason: VerificationReason | null;
}

/** The verdict on a request to an endpoint without a source. */
export const NOT_CHECKED: Verification = {
  state: 'unverified',
  provider: null,
  secret: null,
  reason: null,
};

/** Returns whether a failed request may be genuine, because its key couldn't be fetched. */
export function isUndecided(verification: Verification | null): boolean {
  return verification?.reason === 'key_unavailable';
}
