import { randomBytes } from 'node:crypto';
import { newId } from '../ids.ts';
import type { Endpoint } from '../model.ts';
import { DEFAULT_ENDPOINT_SETTINGS } from './endpoint-settings.ts';

/** 160 random bits in a capture URL: too many to guess, but few enough to read out. */
const PUBLIC_TOKEN_BYTES = 20;

export function newEndpoint(userId: string, name: string, now: number): Omit<Endpoint, 'key'> {
  return {
    id: newId('ep', now),
    userId,
    publicToken: newPublicToken(),
    settings: { ...DEFAULT_ENDPOINT_SETTINGS, name },
    source: null,
    createdAt: now,
  };
}

/**
 * Returns a new token for a capture URL. A command line would read a leading dash as a flag, so the
 * token has none.
 */
export function newPublicToken(): string {
  for (;;) {
    const token = randomBytes(PUBLIC_TOKEN_BYTES).toString('base64url');
    if (!token.startsWith('-')) return token;
  }
}
