import type { HandshakeReply } from '../provider.ts';

/** Longest challenge that is echoed. No provider sends a longer one. */
const MAX_CHALLENGE_LENGTH = 1024;

/** The sender's challenge, as inert text because the sender chooses it; null for none. */
export function echo(challenge: unknown): HandshakeReply | null {
  if (typeof challenge !== 'string' || challenge.length > MAX_CHALLENGE_LENGTH) return null;
  return { answer: { status: 200, content_type: 'text/plain; charset=utf-8', body: challenge } };
}

export function json(value: object): HandshakeReply {
  return {
    answer: { status: 200, content_type: 'application/json', body: JSON.stringify(value) },
  };
}

/** 200 without a body. */
export function accepted(): HandshakeReply {
  return { answer: { status: 200, content_type: 'text/plain; charset=utf-8', body: '' } };
}

/**
 * A text that a secret may hash for whoever sends it: no request's body or signed text
 * consists of these characters alone. Null for any other.
 */
export function hashable(token: unknown): string | null {
  return typeof token === 'string' && /^[A-Za-z0-9_=-]{1,128}$/.test(token) ? token : null;
}
