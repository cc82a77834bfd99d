import { HookrelayError } from '../core/errors.ts';
import type { Verification, VerificationReason } from '../core/proof/verification.ts';

interface Explained {
  /** Follows "the request isn't verified: ". */
  says: string;
  /** The next step, for the person at the sender's side. */
  hint: string;
}

/** Nothing here depends on a secret or on what would have been right. */
const REASONS: Record<VerificationReason, Explained> = {
  signature_missing: {
    says: 'it has no signature of the endpoint’s source',
    hint: 'sign the request as the source of the endpoint does, or correct the endpoint’s source',
  },
  signature_mismatch: {
    says: 'no secret of the endpoint’s source fits its signature',
    hint: 'compare the sender’s signing secret with the endpoint’s, and make sure that nothing between them changes the body',
  },
  signature_malformed: {
    says: 'its signature or time of signing cannot be read',
    hint: 'send the signature in the form of the endpoint’s source, or correct the endpoint’s source',
  },
  timestamp_too_old: {
    says: 'it was signed too long ago',
    hint: 'sign each attempt with the time of now, and check the sender’s clock',
  },
  timestamp_in_future: {
    says: 'its time of signing is in the future',
    hint: 'check the sender’s clock',
  },
  url_mismatch: {
    says: 'it is signed for another URL',
    hint: 'set the url of the endpoint’s source to the one that is registered at the provider',
  },
  body_reserialized: {
    says: 'its body is spelled otherwise than the one that was signed',
    hint: 'make sure that nothing between the sender and hookrelay changes the body',
  },
  secret_unreadable: {
    says: 'the server cannot use the secrets of the endpoint’s source',
    hint: 'set the secrets of the endpoint’s source again',
  },
  key_unavailable: {
    says: 'the key of the endpoint’s source is not available',
    hint: 'send the request again later',
  },
  edited: { says: 'it is an edited copy', hint: 'send the original' },
};

/** Making an error takes as long as verifying a request, because it has a stack. */
const made = new Map<string, HookrelayError>();

/** The answer to a request that its endpoint's source doesn't verify: one object for each reason. */
export function notVerified(
  code: 'signature_invalid' | 'not_verified',
  verification: Verification | null,
): HookrelayError {
  const reason = verification?.reason ?? 'signature_missing';
  const key = `${code} ${reason}`;
  const known = made.get(key);
  if (known) return known;
  const { says, hint } = REASONS[reason];
  const error = new HookrelayError(code, `the request isn’t verified (${reason}): ${says}`, {
    hint,
  });
  made.set(key, error);
  return error;
}
