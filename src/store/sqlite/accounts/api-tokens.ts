import type { Database } from 'better-sqlite3';
import { limitReached } from '../../../core/limits.ts';
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
import type { Writer } from '../files/writer.ts';

interface TokenRow extends RowOf<typeof LISTED_TOKEN> {
  /** JSON. Null for a token without a limit. */
  endpointIds: string | null;
}

export function sqliteApiTokens(db: Database, writer: Writer): ApiTokenStore {
  return {
    async create(token, most) {
      const count = db
        .prepare<[string], number>('SELECT count(*) FROM api_tokens WHERE user_id = ?')
        .pluck();
      const dropExpired = db.prepare(
        'DELETE FROM api_tokens WHERE user_id = ? AND expires_at <= ?',
      );
      const endpoint = db
        .prepare('SELECT key FROM endpoints WHERE id = ? AND user_id = ? AND deleted_at IS NULL')
        .pluck();
      const insert = db.prepare(`
        INSERT INTO api_tokens (${API_TOKEN.names}) VALUES (${API_TOKEN.marks})`);
      const insertEndpoint = db.prepare(
        'INSERT INTO api_token_endpoints (token_id, endpoint_key) VALUES (?, ?)',
      );
      return writer.write(() => {
        const { id, userId, endpointIds, createdAt } = token;
        const keys = (endpointIds ?? []).map((one) => endpoint.get(one, userId));
        const unknownEndpoints = (endpointIds ?? []).filter((_, i) => keys[i] === undefined);
        if (unknownEndpoints.length > 0) return { unknownEndpoints };
        const isFull = () => Number(count.get(userId)) >= most;
        if (isFull()) dropExpired.run(userId, createdAt);
        if (isFull()) throw limitReached('tokens', most);
        insert.run(API_TOKEN.values(storedToken(token)));
        for (const key of keys) insertEndpoint.run(id, key);
        return { unknownEndpoints };
      });
    },

    list: async (userId) =>
      db
        .prepare<[string], TokenRow>(`
          SELECT ${LISTED_TOKEN.read('t')},
            CASE WHEN t.is_limited THEN (
              SELECT json_group_array(p.id) FROM api_token_endpoints e
              CROSS JOIN endpoints p ON p.key = e.endpoint_key
              WHERE e.token_id = t.id AND p.deleted_at IS NULL) END AS endpointIds
          FROM api_tokens t WHERE t.user_id = ? ORDER BY t.id DESC LIMIT ${MAX_LISTED}`)
        .all(userId)
        .map(({ scopes, endpointIds, ...row }) => ({
          ...row,
          scopes: scopesOf(scopes),
          endpointIds: endpointIds === null ? null : JSON.parse(endpointIds),
        })),

    delete(userId, tokenId) {
      const remove = db
        .prepare<[string, string], string>(
          'DELETE FROM api_tokens WHERE user_id = ? AND id = ? RETURNING name',
        )
        .pluck();
      return writer.write(() => remove.get(userId, tokenId) ?? null);
    },

    async use(hash, now) {
      const row = db
        .prepare<[Uint8Array], UsedTokenRow>(`
          SELECT ${USED_TOKEN_COLUMNS}
          FROM api_tokens t JOIN users u ON u.id = t.user_id WHERE t.hash = ?`)
        .get(hash);
      if (!row) return null;
      const endpoints = row.isLimited ? endpointsOf(db, row.tokenId) : null;
      if (countsAsUse(row, now)) {
        const touch = db.prepare('UPDATE api_tokens SET last_used_at = ? WHERE id = ?');
        await writer.write(() => touch.run(now, row.tokenId)).catch(() => {});
      }
      return usedToken(row, endpoints);
    },
  };
}

function endpointsOf(db: Database, tokenId: string): { key: number; id: string }[] {
  return db
    .prepare<[string], { key: number; id: string }>(`
      SELECT p.key, p.id FROM api_token_endpoints e
      CROSS JOIN endpoints p ON p.key = e.endpoint_key
      WHERE e.token_id = ? AND p.deleted_at IS NULL ORDER BY e.endpoint_key`)
    .all(tokenId);
}
