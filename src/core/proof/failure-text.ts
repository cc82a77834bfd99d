import { formatExactDuration } from '../text/duration.ts';
import type { VerificationReason } from './verification.ts';

/** Explains to people why a request isn't verified. */
export interface FailureText {
  /** The end of a sentence that begins "the request isn't verified: ". */
  says: string;
  /** The next step. */
  hint: string;
}

/** The signed time of a request, and the time of its receipt. */
export interface SignedClock {
  /** The signed time, Unix ms. */
  signedAt: number;
  /** The time of receipt, Unix ms. */
  receivedAt: number;
  /** The largest allowed difference between the two times, ms. */
  allowedMs: number;
}

/** Senders see these texts. The texts must not depend on a secret or on the right signature. */
const REASONS: Record<VerificationReason, FailureText> = {
  signature_missing: {
    says: 'it has no signature for the endpoint’s source',
    hint: 'sign the request as the source of the endpoint does, or correct the endpoint’s source',
  },
  signature_mismatch: {
    says: 'no secret of the endpoint’s source fits its signature',
    hint: 'compare the sender’s signing secret with the endpoint’s, and make sure that nothing between them changes the body',
  },
  signature_malformed: {
    says: 'its signature or time of signing cannot be read',
    hint: 'send the signature in the format that the endpoint’s source uses, or correct the source',
  },
  timestamp_too_old: {
    says: 'it was signed too long ago',
    hint: 'sign each attempt with the current time, and check the sender’s clock',
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
    says: 'its JSON was rewritten after it was signed',
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

/**
 * Returns the text for a reason.
 *
 * @param clock null if the signed time is unknown
 */
export function failureText(
  reason: VerificationReason,
  clock: SignedClock | null = null,
): FailureText {
  const text = REASONS[reason];
  const isOfClock = reason === 'timestamp_too_old' || reason === 'timestamp_in_future';
  return clock && isOfClock ? { ...text, says: `it was ${clockText(clock)}` } : text;
}

/** Returns `signed 7 min 12 s before it came; at most 5 min are allowed`. */
export function clockText({ signedAt, receivedAt, allowedMs }: SignedClock): string {
  const offMs = receivedAt - signedAt;
  const order = offMs < 0 ? 'after' : 'before';
  const off = formatExactDuration(Math.abs(offMs));
  return `signed ${off} ${order} it came; at most ${formatExactDuration(allowedMs)} are allowed`;
}
