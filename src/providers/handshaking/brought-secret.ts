import type { HandshakeReply } from '../provider.ts';

/** No provider makes a shorter secret. */
const SECRET = /^[!-~]{16,256}$/;

/** The text as a secret that may be kept; null for any other. */
export function broughtSecret(text: unknown): string | null {
  return typeof text === 'string' && SECRET.test(text) ? text : null;
}

/** The answer, after the secret is kept. */
export function keeping(secret: string, { answer }: HandshakeReply): HandshakeReply {
  return { answer, effect: { kind: 'keep_secret', secret } };
}
