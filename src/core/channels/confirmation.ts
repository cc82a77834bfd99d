import { hash, randomBytes } from 'node:crypto';

/** How long a confirmation link works, ms. */
export const CONFIRMATION_LIVES_MS = 86_400_000;
/** 256 random bits can't be guessed. */
const TOKEN_BYTES = 32;

/** Returns a new token for a confirmation link, and its hash for the store. */
export function newConfirmation(): { token: string; hash: Uint8Array } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, hash: confirmationHash(token) };
}

/**
 * Returns the hash of a confirmation's token. The store doesn't know the token: only the message
 * with the link contains it.
 */
export function confirmationHash(token: string): Uint8Array {
  return hash('sha256', token, 'buffer');
}

/**
 * Returns the URL of a page with a confirm button. The link alone must not confirm, because mail
 * scanners open links.
 */
export function confirmationUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/confirm?token=${token}`;
}
