import { randomBytes } from 'node:crypto';
import { newId } from './ids.ts';
import type { Endpoint } from './model.ts';

/** 160 random bits: more than can be guessed, and short enough to read out. */
const PUBLIC_TOKEN_BYTES = 20;

/** An endpoint as it begins: active, with a capture URL that nobody can guess. */
export function newEndpoint(userId: string, name: string, now: number): Omit<Endpoint, 'key'> {
  return {
    id: newId('ep', now),
    userId,
    name,
    publicToken: newPublicToken(),
    isActive: true,
    response: null,
    createdAt: now,
  };
}

/** On a command line a token with a dash in front would be a flag: drawn again, once in 64. */
function newPublicToken(): string {
  for (;;) {
    const token = randomBytes(PUBLIC_TOKEN_BYTES).toString('base64url');
    if (!token.startsWith('-')) return token;
  }
}
