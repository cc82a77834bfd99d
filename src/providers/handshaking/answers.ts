import type { HandshakeReply } from '../provider.ts';

/** Longest challenge that is echoed. No provider sends a longer one. */
const MAX_CHALLENGE_LENGTH = 1024;
const TEXT = 'text/plain; charset=utf-8';

/** The sender's challenge, as inert text because the sender chooses it; null for none. */
export function echo(challenge: unknown): HandshakeReply | null {
  return isChallenge(challenge) ? ok(TEXT, challenge) : null;
}

/** The sender's challenge as a member of JSON; null for none. */
export function echoJson(member: string, challenge: unknown): HandshakeReply | null {
  return isChallenge(challenge) ? json({ [member]: challenge }) : null;
}

export function json(value: object, headers?: readonly string[]): HandshakeReply {
  return ok('application/json', JSON.stringify(value), headers);
}

/** 200 without a body. */
export function accepted(headers?: readonly string[]): HandshakeReply {
  return ok(TEXT, '', headers);
}

/**
 * A text that a secret may hash for anybody: no body and no signed text consists of these
 * characters alone. Null for any other.
 */
export function hashable(token: unknown): string | null {
  return typeof token === 'string' && /^[A-Za-z0-9_=-]{1,128}$/.test(token) ? token : null;
}

/** A sender's text that a header may contain: no line break, no blank. Null for any other. */
export function headerValue(value: unknown): string | null {
  return typeof value === 'string' && /^[!-~]{1,256}$/.test(value) ? value : null;
}

function isChallenge(challenge: unknown): challenge is string {
  return typeof challenge === 'string' && challenge.length <= MAX_CHALLENGE_LENGTH;
}

function ok(content_type: string, body: string, headers?: readonly string[]): HandshakeReply {
  return { answer: { status: 200, content_type, body, ...(headers && { headers }) } };
}
