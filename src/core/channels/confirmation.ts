import { hash, randomBytes } from 'node:crypto';

/** How long the link of a confirmation works, ms. */
export const CONFIRMATION_LIVES_MS = 86_400_000;
/** 256 random bits: nobody guesses the token in a link. */
const TOKEN_BYTES = 32;

/** A token for the link of a confirmation, and the hash of it that is stored. */
export function newConfirmation(): { token: string; hash: Uint8Array } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, hash: confirmationHash(token) };
}

/**
 * What the store finds a confirmation by. The token itself is in the message that waits or
 * was sent, as long as that is kept.
 */
export function confirmationHash(token: string): Uint8Array {
  return hash('sha256', token, 'buffer');
}

/** Where the link leads: a page whose button confirms. Mail scanners open links, and press no buttons. */
export function confirmationUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/confirm?token=${token}`;
}
