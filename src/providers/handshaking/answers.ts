import type { HandshakeReply } from '../provider.ts';

/** The longest challenge that hookrelay sends back. No provider sends a longer one. */
const MAX_CHALLENGE_LENGTH = 1024;
const TEXT = 'text/plain; charset=utf-8';

/**
 * Returns an answer that repeats the sender's challenge. It is plain text, because the sender could
 * choose a challenge that a browser would run. Returns null if there is no challenge.
 */
export function echo(challenge: unknown): HandshakeReply | null {
  return isChallenge(challenge) ? ok(TEXT, challenge) : null;
}

/**
 * Returns an answer that repeats the sender's challenge in a member of a JSON object. Returns null
 * if there is no challenge.
 */
export function echoJson(member: string, challenge: unknown): HandshakeReply | null {
  return isChallenge(challenge) ? json({ [member]: challenge }) : null;
}

export function json(value: object, headers?: readonly string[]): HandshakeReply {
  return ok('application/json', JSON.stringify(value), headers);
}

/** Returns the answer 200 without a body. */
export function accepted(headers?: readonly string[]): HandshakeReply {
  return ok(TEXT, '', headers);
}

/**
 * Returns a text that hookrelay may hash with a secret for anybody. This is safe, because no body
 * and no signed text consists only of these characters. Returns null for any other text.
 */
export function hashable(token: unknown): string | null {
  return typeof token === 'string' && /^[A-Za-z0-9_=-]{1,128}$/.test(token) ? token : null;
}

/**
 * Returns a sender's text if a header may contain it: no line break, no blank. Returns null for any
 * other value.
 */
export function headerValue(value: unknown): string | null {
  return typeof value === 'string' && /^[!-~]{1,256}$/.test(value) ? value : null;
}

function isChallenge(challenge: unknown): challenge is string {
  return typeof challenge === 'string' && challenge.length <= MAX_CHALLENGE_LENGTH;
}

function ok(content_type: string, body: string, headers?: readonly string[]): HandshakeReply {
  return { answer: { status: 200, content_type, body, ...(headers && { headers }) } };
}
