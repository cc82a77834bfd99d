import type { HandshakeReply } from '../provider.ts';

/** Visible ASCII. No provider makes a secret of less than 16 characters. */
const SECRET = /^[!-~]{16,256}$/;

/** Returns the text if it can be a provider's secret, otherwise null. */
export function broughtSecret(text: unknown): string | null {
  return typeof text === 'string' && SECRET.test(text) ? text : null;
}

/** Returns a reply that first saves the secret, then sends the answer. */
export function keeping(secret: string, { answer }: HandshakeReply): HandshakeReply {
  return { answer, effect: { kind: 'keep_secret', secret } };
}
