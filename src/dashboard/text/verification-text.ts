import type { EventSummaryAnswer } from '../../api/events/event-answer.ts';
import type { ProviderAnswer } from '../../api/sources/provider-answer.ts';

export type VerificationAnswer = EventSummaryAnswer['verification'];
type State = VerificationAnswer['state'];
type Reason = NonNullable<VerificationAnswer['reason']>;

/** Signs that differ in shape, for people who can't tell the colours apart. */
export const VERIFICATION_MARKS: Record<State, string> = {
  verified: '✓',
  authenticated: '◐',
  failed: '!',
  unverified: '–',
};

/** The word for each state. `failed` names the proof, because a delivery can fail too. */
export const VERIFICATION_WORDS: Record<State, string> = {
  verified: 'verified',
  authenticated: 'authenticated',
  failed: 'proof failed',
  unverified: 'unverified',
};

/** The states, in the order of a menu. */
export const VERIFICATIONS = Object.keys(VERIFICATION_WORDS) as State[];

export const STATE_MEANINGS: Record<State, string> = {
  verified: 'a signature over the body fits',
  authenticated: 'a token or a password fits, which says nothing about the body',
  failed: 'no secret of the source fits',
  unverified: 'there was nothing to check it against',
};

interface ReasonText {
  /** A sentence about the request. */
  says: string;
  /** What a person should do next; empty if there is nothing to do. */
  todo: string;
}

const REASONS: Record<Reason, ReasonText> = {
  signature_missing: {
    says: 'It has no signature, token or password of the source.',
    todo: 'Turn signing on at the sender. If somebody else sent it, there is nothing to do.',
  },
  signature_mismatch: {
    says: 'No secret of the source fits its signature.',
    todo: 'Compare the secret with the one at the sender, and make sure that no proxy changes the body.',
  },
  signature_malformed: {
    says: 'Its signature, or its time of signing, can’t be read.',
    todo: 'Check that the source is the right provider, and that no proxy changes the headers.',
  },
  timestamp_too_old: {
    says: 'It was signed too long before it arrived.',
    todo: 'Check the clocks of the sender and of this server. A recorded request that is sent again fails too.',
  },
  timestamp_in_future: {
    says: 'Its time of signing is in the future.',
    todo: 'Check the clocks of the sender and of this server.',
  },
  url_mismatch: {
    says: 'Its signature fits another URL of this endpoint.',
    todo: 'Set the registered URL of the source to the one that the provider has.',
  },
  body_reserialized: {
    says: 'Its signature fits the same JSON, spelled differently.',
    todo: 'Something between the sender and this server rewrites the body. Let it pass the bytes unchanged.',
  },
  secret_unreadable: {
    says: 'The server couldn’t open the secrets of the source: its own key has changed.',
    todo: 'Restore the server’s key, or paste the secrets again.',
  },
  key_unavailable: {
    says: 'The provider’s public key couldn’t be loaded.',
    todo: 'Make sure that the server reaches the provider. The next request tries again.',
  },
  edited: {
    says: 'It is an edited copy, which nobody signed.',
    todo: '',
  },
};

/** Returns a reason in words. An unknown reason stays as it is. */
export function reasonText(reason: string): ReasonText {
  return Object.hasOwn(REASONS, reason) ? REASONS[reason as Reason] : { says: reason, todo: '' };
}

/** The facts that the server adds to a single event's verdict. */
export interface ExplainedVerification {
  verification_failure?: { message: string } | null;
}

/**
 * Returns why a request failed its verification, or null without a failure. States the clock's
 * deviation if the server knows it.
 */
export function failureText(
  { reason }: VerificationAnswer,
  { verification_failure: failure }: ExplainedVerification = {},
): ReasonText | null {
  if (reason === null) return null;
  const text = reasonText(reason);
  const isOfClock = reason === 'timestamp_too_old' || reason === 'timestamp_in_future';
  return failure && isOfClock ? { ...text, says: sentence(failure.message) } : text;
}

/** Converts a message of the server to a sentence: `it was late` becomes `It was late.` */
export function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}${message.endsWith('.') ? '' : '.'}`;
}

/** Returns the provider's display name, such as `Stripe`. */
export function titleOf(name: string, catalogue: readonly ProviderAnswer[] | null): string {
  return catalogue?.find((one) => one.name === name)?.title ?? name;
}

/**
 * Returns how a request was verified: `as Stripe, by secret 2`. Returns an empty text if nothing
 * was checked.
 */
export function proofText(
  { state, provider, secret }: VerificationAnswer,
  catalogue: readonly ProviderAnswer[] | null,
): string {
  if (provider === null) return '';
  const title = titleOf(provider, catalogue);
  if (state === 'failed') return `checked as ${title}`;
  return secret === null ? `as ${title}` : `as ${title}, by secret ${secret}`;
}
