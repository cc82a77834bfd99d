import type { HandshakeReply } from '../provider.ts';

/** Visible ASCII, at least 16 characters. No provider makes a shorter secret. */
const SECRET = /^[!-~]{16,256}$/;

/** Returns the text if it can be a provider's secret. Returns null for any other value. */
export function broughtSecret(text: unknown): string | null {
  return typeof text === 'string' && SECRET.test(text) ? text : null;
}

/** Returns a reply that first saves the secret and then sends the answer. */
export function keeping(secret: string, { answer }: HandshakeReply): HandshakeReply {
  return { answer, effect: { kind: 'keep_secret', secret } };
}
