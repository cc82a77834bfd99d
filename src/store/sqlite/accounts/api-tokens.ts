import type { Database } from 'better-sqlite3';
import { limitReached } from '../../../core/limits.ts';
import type { ApiToken, User } from '../../../core/model.ts';
import type { ApiTokenStore, NewApiToken, UsedApiToken } from '../../contract/api-tokens.ts';
import {
  API_TOKEN,
  countsAsUse,
  LISTED_TOKEN,
  scopesOf,
  storedToken,
} from '../../shared/accounts/token-rows.ts';
import type { RowOf } from '../../shared/columns.ts';
import type { Writer } from '../files/writer.ts';

/** Most tokens in one list. */
const MAX_LISTED = 100;

interface TokenRow extends RowOf<typeof LISTED_TOKEN> {
  /** JSON; null for a token without a limit. */
  endpointIds: string | null;
}

interface UsedRow extends User {
  tokenId: string;
  name: string;
  scopes: string;
  isLimited: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
}

export class SqliteApiTokens implements ApiTokenStore {
  readonly #db: Database;
  readonly #writer: Writer;

  constructor(db: Database, writer: Writer) {
    this.#db = db;
    this.#writer = writer;
  }

  async create(token: NewApiToken, most: number): Promise<{ unknownEndpoints: string[] }> {
    const count = this.#db
      .prepare<[string], number>('SELECT count(*) FROM api_tokens WHERE user_id = ?')
      .pluck();
    const dropExpired = this.#db.prepare(
      'DELETE FROM api_tokens WHERE user_id = ? AND expires_at <= ?',
    );
    const endpoint = this.#db
      .prepare<[string, string], number>(
        'SELECT key FROM endpoints WHERE id = ? AND user_id = ? AND deleted_at IS NULL',
      )
      .pluck();
    const insert = this.#db.prepare(`
      INSERT INTO api_tokens (${API_TOKEN.names}) VALUES (${API_TOKEN.marks})`);
    const insertEndpoint = this.#db.prepare(
      'INSERT INTO api_token_endpoints (token_id, endpoint_key) VALUES (?, ?)',
    );
    return this.#writer.write(() => {
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
  }

  async list(userId: string): Promise<ApiToken[]> {
    return this.#db
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
      }));
  }

  delete(userId: string, tokenId: string): Promise<string | null> {
    const remove = this.#db
      .prepare<[string, string], string>(
        'DELETE FROM api_tokens WHERE user_id = ? AND id = ? RETURNING name',
      )
      .pluck();
    return this.#writer.write(() => remove.get(userId, tokenId) ?? null);
  }

  async use(hash: Uint8Array, now: number): Promise<UsedApiToken | null> {
    const row = this.#db
      .prepare<[Uint8Array], UsedRow>(`
        SELECT u.id, u.email, u.plan, t.id AS tokenId, t.name, t.scopes, t.is_limited AS isLimited,
          t.expires_at AS expiresAt, t.last_used_at AS lastUsedAt
        FROM api_tokens t JOIN users u ON u.id = t.user_id WHERE t.hash = ?`)
      .get(hash);
    if (!row) return null;
    const { id, email, plan, tokenId, name, scopes, isLimited, expiresAt } = row;
    const endpoints = isLimited === 1 ? this.#endpointsOf(tokenId) : null;
    if (countsAsUse(row, now)) {
      const touch = this.#db.prepare('UPDATE api_tokens SET last_used_at = ? WHERE id = ?');
      await this.#writer.write(() => touch.run(now, tokenId)).catch(() => {});
    }
    return {
      user: { id, email, plan },
      token: { id: tokenId, name, scopes: scopesOf(scopes), expiresAt, endpoints },
    };
  }

  #endpointsOf(tokenId: string): { key: number; id: string }[] {
    return this.#db
      .prepare<[string], { key: number; id: string }>(`
        SELECT p.key, p.id FROM api_token_endpoints e
        CROSS JOIN endpoints p ON p.key = e.endpoint_key
        WHERE e.token_id = ? AND p.deleted_at IS NULL ORDER BY e.endpoint_key`)
      .all(tokenId);
  }
}
