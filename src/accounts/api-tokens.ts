import { createHash, randomBytes } from 'node:crypto';

/** Prefix that distinguishes an API token from an access token. Secret scanners find it. */
export const API_TOKEN_PREFIX = 'hr_';

const RANDOM_BYTES = 32;
const FORM = /^hr_[A-Za-z0-9_-]{43}$/;

/** Makes an API token, which the user sees once, and its hash, which the store keeps. */
export function newApiToken(): { token: string; hash: Uint8Array } {
  const token = API_TOKEN_PREFIX + randomBytes(RANDOM_BYTES).toString('base64url');
  return { token, hash: sha256(token) };
}

/**
 * Returns the hash by which the store finds a token. Returns null if the text can't be a token. A
 * plain SHA-256 is enough: nobody guesses 256 random bits, so a slow hash adds nothing.
 */
export function apiTokenHash(token: string): Uint8Array | null {
  return FORM.test(token) ? sha256(token) : null;
}

function sha256(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}
