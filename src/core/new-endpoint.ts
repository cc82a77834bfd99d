import { randomBytes } from 'node:crypto';
import { newId } from './ids.ts';
import { DEFAULT_ON_UNJUDGED } from './judging/unjudged.ts';
import type { Endpoint } from './model.ts';

/** Size of a capture URL's token: 160 random bits, too many to guess and few enough to read out. */
const PUBLIC_TOKEN_BYTES = 20;

/** A new endpoint: active, with a capture URL that nobody can guess. */
export function newEndpoint(userId: string, name: string, now: number): Omit<Endpoint, 'key'> {
  return {
    id: newId('ep', now),
    userId,
    name,
    publicToken: newPublicToken(),
    isActive: true,
    response: null,
    retentionMs: null,
    source: null,
    dedupe: null,
    expectEveryMs: null,
    onUnjudged: DEFAULT_ON_UNJUDGED,
    createdAt: now,
  };
}

/** Token of a capture URL, without a leading dash, which a command line would read as a flag. */
export function newPublicToken(): string {
  for (;;) {
    const token = randomBytes(PUBLIC_TOKEN_BYTES).toString('base64url');
    if (!token.startsWith('-')) return token;
  }
}
