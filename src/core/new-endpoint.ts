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
    publicToken: randomBytes(PUBLIC_TOKEN_BYTES).toString('base64url'),
    isActive: true,
    response: null,
    createdAt: now,
  };
}
