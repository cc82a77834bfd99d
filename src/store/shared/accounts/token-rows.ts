import type { TokenScope } from '../../../core/model.ts';
import type { NewApiToken } from '../../contract/api-tokens.ts';
import { Columns, type RowOf } from '../columns.ts';

/** Shortest time between two records of an API token's use, ms: a read should not cost a write. */
const USE_GRAIN_MS = 60_000;

export const API_TOKEN = new Columns({
  id: 'text',
  userId: 'text',
  name: 'text',
  hash: 'bytea',
  /** As in OAuth (RFC 6749, section 3.3). */
  scopes: 'text',
  isLimited: 'boolean',
  createdAt: 'bigint',
  lastUsedAt: 'bigint?',
  expiresAt: 'bigint?',
});
/** What lists show of a token, beside its endpoints. */
export const LISTED_TOKEN = API_TOKEN.without('userId', 'hash', 'isLimited');

export function storedToken(token: NewApiToken): RowOf<typeof API_TOKEN> {
  return { ...token, scopes: token.scopes.join(' '), isLimited: token.endpointIds !== null };
}

export const scopesOf = (stored: string): TokenScope[] => stored.split(' ') as TokenScope[];

/** Whether the store records this use of a token. */
export function countsAsUse(
  { lastUsedAt, expiresAt }: { lastUsedAt: number | null; expiresAt: number | null },
  now: number,
): boolean {
  if (expiresAt !== null && now >= expiresAt) return false;
  return lastUsedAt === null || now - lastUsedAt >= USE_GRAIN_MS;
}
