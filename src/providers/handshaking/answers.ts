import type { HandshakeReply } from '../provider.ts';

/** The longest challenge to repeat. No provider sends a longer one. */
const MAX_CHALLENGE_LENGTH = 1024;
const TEXT = 'text/plain; charset=utf-8';

/**
 * Returns an answer that repeats the sender's challenge, or null if there is none. The answer is
 * plain text, because a browser could run a malicious challenge as HTML.
 */
export function echo(challenge: unknown): HandshakeReply | null {
  return isChallenge(challenge) ? ok(TEXT, challenge) : null;
}

/**
 * Returns an answer that repeats the challenge in a member of a JSON object, or null if there is
 * none.
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
 * Returns a text that hookrelay may hash with a secret for anybody, or null for any other value. No
 * body and no signed text consists only of these characters, so the hash is no usable signature.
 */
export function hashable(token: unknown): string | null {
  return typeof token === 'string' && /^[A-Za-z0-9_=-]{1,128}$/.test(token) ? token : null;
}

/**
 * Returns a sender's text if a header may contain it, otherwise null. It has no line breaks and
 * blanks.
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
