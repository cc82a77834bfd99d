import { createHash, randomBytes } from 'node:crypto';

/** Tells an API token from an access token, and to secret scanners that it is one. */
export const API_TOKEN_PREFIX = 'hr_';

const RANDOM_BYTES = 32;
const FORM = /^hr_[A-Za-z0-9_-]{43}$/;

/** A new API token, to be shown once, and what is stored of it. */
export function newApiToken(): { token: string; hash: Uint8Array } {
  const token = API_TOKEN_PREFIX + randomBytes(RANDOM_BYTES).toString('base64url');
  return { token, hash: sha256(token) };
}

/**
 * What a token is found by, or null when it can't be one. A plain SHA-256: 256
 * random bits leave nothing to guess, so there is nothing for a slow hash to slow.
 */
export function apiTokenHash(token: string): Uint8Array | null {
  return FORM.test(token) ? sha256(token) : null;
}

function sha256(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}
