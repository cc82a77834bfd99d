import { hash, randomBytes } from 'node:crypto';

/** How long a confirmation link works, ms. */
export const CONFIRMATION_LIVES_MS = 86_400_000;
/** 256 random bits: nobody guesses the token. */
const TOKEN_BYTES = 32;

/** Returns a new token for a confirmation link, and its hash, which the store keeps. */
export function newConfirmation(): { token: string; hash: Uint8Array } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, hash: confirmationHash(token) };
}

/**
 * Returns the hash by which the store finds a confirmation. The store doesn't know the token: only
 * the message with the link holds it.
 */
export function confirmationHash(token: string): Uint8Array {
  return hash('sha256', token, 'buffer');
}

/**
 * Returns the URL of a page with a button that confirms. The link alone must not confirm, because
 * mail scanners open links. They press no buttons.
 */
export function confirmationUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/confirm?token=${token}`;
}
