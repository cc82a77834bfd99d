import { hash, randomBytes } from 'node:crypto';

/** How long a confirmation link works, ms. */
export const CONFIRMATION_LIVES_MS = 86_400_000;
/** 256 random bits: nobody guesses the token. */
const TOKEN_BYTES = 32;

/** A token for a confirmation link, and the hash that the store keeps of it. */
export function newConfirmation(): { token: string; hash: Uint8Array } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, hash: confirmationHash(token) };
}

/**
 * The store finds a confirmation by this hash. Only the message with the link holds the token
 * itself.
 */
export function confirmationHash(token: string): Uint8Array {
  return hash('sha256', token, 'buffer');
}

/** A page whose button confirms: mail scanners open links, but press no buttons. */
export function confirmationUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/confirm?token=${token}`;
}
