import type { ApiToken, TokenScope, User } from '../../../core/model.ts';
import type { NewApiToken, UsedApiToken } from '../../contract/api-tokens.ts';
import { Columns, type RowOf } from '../columns.ts';

/** The shortest time between two records of a token's use, ms. Otherwise every read would write. */
const USE_GRAIN_MS = 60_000;

export const API_TOKEN = new Columns({
  id: 'text',
  userId: 'text',
  name: 'text',
  hash: 'bytea',
  /** A space-separated list, as in OAuth (RFC 6749, section 3.3). */
  scopes: 'text',
  isLimited: 'boolean',
  createdAt: 'bigint',
  lastUsedAt: 'bigint?',
  expiresAt: 'bigint?',
});
/** The columns that lists show. They show the token's endpoints too. */
export const LISTED_TOKEN = API_TOKEN.without('userId', 'hash', 'isLimited');

export function storedToken(token: NewApiToken): RowOf<typeof API_TOKEN> {
  return { ...token, scopes: token.scopes.join(' '), isLimited: token.endpointIds !== null };
}

/** Columns of a `UsedTokenRow`, from a token `t` and its account `u`. */
export const USED_TOKEN_COLUMNS = `u.id, u.email, u.plan, t.id AS "tokenId", t.name, t.scopes,
  t.is_limited AS "isLimited", t.expires_at AS "expiresAt", t.last_used_at AS "lastUsedAt"`;

export interface UsedTokenRow extends User, Pick<ApiToken, 'name' | 'expiresAt' | 'lastUsedAt'> {
  tokenId: string;
  scopes: string;
  isLimited: boolean | number;
}

/** @param endpoints the only endpoints that the token may see; null for all */
export function usedToken(
  { id, email, plan, tokenId, name, scopes, expiresAt }: UsedTokenRow,
  endpoints: UsedApiToken['token']['endpoints'],
): UsedApiToken {
  return {
    user: { id, email, plan },
    token: { id: tokenId, name, scopes: scopesOf(scopes), expiresAt, endpoints },
  };
}

export const scopesOf = (stored: string): TokenScope[] => stored.split(' ') as TokenScope[];

/** Returns whether the store records this use of a token. */
export function countsAsUse({ lastUsedAt, expiresAt }: UsedTokenRow, now: number): boolean {
  if (expiresAt !== null && now >= expiresAt) return false;
  return lastUsedAt === null || now - lastUsedAt >= USE_GRAIN_MS;
}
