import { limitReached } from '../../../core/limits.ts';
import type { ApiToken } from '../../../core/model.ts';
import type { ApiTokenStore } from '../../contract/api-tokens.ts';
import { MAX_LISTED } from '../../shared/accounts/account-rows.ts';
import {
  API_TOKEN,
  countsAsUse,
  LISTED_TOKEN,
  scopesOf,
  storedToken,
  USED_TOKEN_COLUMNS,
  type UsedTokenRow,
  usedToken,
} from '../../shared/accounts/token-rows.ts';
import type { RowOf } from '../../shared/columns.ts';
import type { Database, Sql } from '../connection/database.ts';
import { lockAccount } from '../connection/locks.ts';
import { storable, storableRow } from '../connection/storable.ts';

interface TokenRow extends RowOf<typeof LISTED_TOKEN>, Pick<ApiToken, 'endpointIds'> {}

export function postgresApiTokens(db: Database): ApiTokenStore {
  return {
    create(token, most) {
      const { id, userId, endpointIds, createdAt } = token;
      return db.transaction(async (sql) => {
        await lockAccount(sql, userId);
        const endpoints = endpointIds ? await presentEndpoints(sql, userId, endpointIds) : [];
        const known = new Set(endpoints.map((endpoint) => endpoint.id));
        const unknownEndpoints = (endpointIds ?? []).filter((one) => !known.has(one));
        if (unknownEndpoints.length > 0) return { unknownEndpoints };
        if ((await count(sql, userId)) >= most) {
          await sql.run('DELETE FROM api_tokens WHERE user_id = $1 AND expires_at <= $2', [
            userId,
            createdAt,
          ]);
          if ((await count(sql, userId)) >= most) throw limitReached('tokens', most);
        }
        await sql.run(
          `INSERT INTO api_tokens (${API_TOKEN.names}) VALUES (${API_TOKEN.numbers()})`,
          API_TOKEN.values(storableRow(storedToken(token))),
        );
        await sql.run(
          'INSERT INTO api_token_endpoints (token_id, endpoint_key) SELECT $1, unnest($2::bigint[])',
          [id, endpoints.map(({ key }) => key)],
        );
        return { unknownEndpoints };
      });
    },

    async list(userId) {
      const rows = await db.rows<TokenRow>(
        `SELECT ${LISTED_TOKEN.read('t')},
           CASE WHEN t.is_limited THEN ARRAY(
             SELECT p.id FROM api_token_endpoints e JOIN endpoints p ON p.key = e.endpoint_key
             WHERE e.token_id = t.id AND p.deleted_at IS NULL ORDER BY p.key) END AS "endpointIds"
         FROM api_tokens t WHERE t.user_id = $1 ORDER BY t.id DESC LIMIT ${MAX_LISTED}`,
        [userId],
      );
      return rows.map((row) => ({ ...row, scopes: scopesOf(row.scopes) }));
    },

    async delete(userId, tokenId) {
      const [removed] = await db.rows<{ name: string }>(
        'DELETE FROM api_tokens WHERE user_id = $1 AND id = $2 RETURNING name',
        [userId, storable(tokenId)],
      );
      return removed?.name ?? null;
    },

    async use(hash, now) {
      const [row] = await db.rows<UsedTokenRow>(
        `SELECT ${USED_TOKEN_COLUMNS}
         FROM api_tokens t JOIN users u ON u.id = t.user_id WHERE t.hash = $1`,
        [hash],
      );
      if (!row) return null;
      const endpoints = row.isLimited ? await endpointsOf(db, row.tokenId) : null;
      if (countsAsUse(row, now)) {
        await db
          .run('UPDATE api_tokens SET last_used_at = $1 WHERE id = $2', [now, row.tokenId])
          .catch(() => {});
      }
      return usedToken(row, endpoints);
    },
  };
}

function endpointsOf(sql: Sql, tokenId: string): Promise<{ key: number; id: string }[]> {
  return sql.rows(
    `SELECT p.key, p.id FROM api_token_endpoints e JOIN endpoints p ON p.key = e.endpoint_key
     WHERE e.token_id = $1 AND p.deleted_at IS NULL ORDER BY p.key`,
    [tokenId],
  );
}

/**
 * Returns the endpoints of `ids` that the account owns. Their rows can't be deleted before the
 * transaction ends.
 */
function presentEndpoints(
  sql: Sql,
  userId: string,
  ids: readonly string[],
): Promise<{ key: number; id: string }[]> {
  return sql.rows(
    `SELECT p.key, p.id FROM endpoints p
     WHERE p.id = ANY($1) AND p.user_id = $2 AND p.deleted_at IS NULL
     ORDER BY p.key FOR KEY SHARE`,
    [ids.map(storable), userId],
  );
}

async function count(sql: Sql, userId: string): Promise<number> {
  const [has] = await sql.rows<{ tokens: number }>(
    'SELECT count(*) AS tokens FROM api_tokens WHERE user_id = $1',
    [userId],
  );
  return has?.tokens ?? 0;
}
