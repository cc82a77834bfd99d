import type { TokenScope } from '../../core/model.ts';

/** Shortest time between two records of an API token's use, ms: a read should not cost a write. */
const USE_GRAIN_MS = 60_000;

/** Scopes in the form of `api_tokens.scopes`, as in OAuth (RFC 6749, section 3.3). */
export const storedScopes = (scopes: readonly TokenScope[]): string => scopes.join(' ');
export const scopesOf = (stored: string): TokenScope[] => stored.split(' ') as TokenScope[];

/** Whether the store records this use of a token. */
export function countsAsUse(
  { lastUsedAt, expiresAt }: { lastUsedAt: number | null; expiresAt: number | null },
  now: number,
): boolean {
  if (expiresAt !== null && now >= expiresAt) return false;
  return lastUsedAt === null || now - lastUsedAt >= USE_GRAIN_MS;
}
