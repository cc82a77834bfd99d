import { limitReached } from '../../../core/limits.ts';
import type { Endpoint } from '../../../core/model.ts';
import type { EndpointPatch, EndpointStore } from '../../contract/endpoints.ts';
import {
  CHANGING,
  NEW_ENDPOINT,
  newEndpointRow,
  patchedColumns,
} from '../../shared/endpoints/endpoint-columns.ts';
import {
  ENDPOINT_COLUMNS,
  type EndpointRow,
  endpointOf,
} from '../../shared/endpoints/stored-endpoint.ts';
import { isSameProof } from '../../shared/events/stored-proof.ts';
import { BatchedLookup } from '../connection/batched-lookup.ts';
import type { Database, Sql } from '../connection/database.ts';
import { closeGate, lockAccount } from '../connection/locks.ts';
import { storable } from '../connection/storable.ts';
import { endIssuesOfEndpoint } from '../issues/issue-ends.ts';
import { removeJobs } from '../replays/job-rows.ts';
import { guessesOf } from './guesses.ts';

export class PostgresEndpoints implements EndpointStore {
  readonly #db: Database;
  readonly #byToken: BatchedLookup<Endpoint>;

  constructor(db: Database) {
    this.#db = db;
    this.#byToken = new BatchedLookup(async (tokens) => {
      const rows = await db.rows<EndpointRow>(
        `SELECT ${ENDPOINT_COLUMNS} FROM endpoints p WHERE p.public_token = ANY($1)`,
        [tokens.map(storable)],
        'endpoints by token',
      );
      return new Map(rows.map((row) => [row.publicToken, endpointOf(row)]));
    });
  }

  create(endpoint: Omit<Endpoint, 'key'>, most: number): Promise<Endpoint> {
    return this.#db.transaction(async (sql) => {
      await lockAccount(sql, endpoint.userId);
      const [has] = await sql.rows<{ endpoints: number }>(
        `SELECT count(*) AS endpoints FROM endpoints
         WHERE user_id = $1 AND deleted_at IS NULL`,
        [endpoint.userId],
      );
      if (has && has.endpoints >= most) throw limitReached('endpoints', most);
      return addEndpoint(sql, endpoint);
    });
  }

  async list(userId: string): Promise<Endpoint[]> {
    const rows = await this.#db.rows<EndpointRow>(
      `SELECT ${ENDPOINT_COLUMNS} FROM endpoints p
       WHERE p.user_id = $1 AND p.deleted_at IS NULL ORDER BY p.key DESC`,
      [userId],
    );
    return rows.map(endpointOf);
  }

  async find(userId: string, id: string): Promise<Endpoint | null> {
    const [row] = await this.#db.rows<EndpointRow>(
      `SELECT ${ENDPOINT_COLUMNS} FROM endpoints p
       WHERE p.id = $1 AND p.user_id = $2 AND p.deleted_at IS NULL`,
      [storable(id), userId],
    );
    return row ? endpointOf(row) : null;
  }

  findByPublicToken(publicToken: string): Promise<Endpoint | null> {
    return this.#byToken.find(publicToken);
  }

  async update(
    key: number,
    patch: EndpointPatch,
    before?: Pick<Endpoint, 'source' | 'settings'>,
  ): Promise<Endpoint | 'changed' | null> {
    return this.#db.transaction(async (sql) => {
      // A capture that has passed the gate keeps using the settings that it has read. Close the
      // gate, so that no capture uses the old source or `dedupe` after this commit.
      const isOfProof = patch.source !== undefined || patch.settings?.dedupe !== undefined;
      if (isOfProof) await closeGate(sql, key);
      const [found] = await sql.rows<EndpointRow>(
        `SELECT ${ENDPOINT_COLUMNS} FROM endpoints p
         WHERE p.key = $1 AND p.deleted_at IS NULL FOR NO KEY UPDATE`,
        [key],
      );
      if (!found) return null;
      if (before && !isSameProof(endpointOf(found), before)) return 'changed';
      const changed = patchedColumns(found, patch);
      await sql.run(
        `UPDATE endpoints SET (${CHANGING.names}) = (SELECT * FROM ${CHANGING.unnest('c', 2)})
         WHERE key = $1`,
        [key, ...CHANGING.arrays([changed])],
      );
      return endpointOf({ ...found, ...changed });
    });
  }

  guesses(keys: readonly number[]): Promise<Map<number, string>> {
    return this.#db.snapshot((sql) => guessesOf(sql, keys));
  }

  remove(key: number, now: number): Promise<boolean> {
    return this.#db.transaction((sql) => removeEndpoint(sql, key, now));
  }
}

/** Adds an endpoint in the caller's transaction. */
export async function addEndpoint(sql: Sql, endpoint: Omit<Endpoint, 'key'>): Promise<Endpoint> {
  const [row] = await sql.rows<{ key: number }>(
    `INSERT INTO endpoints (${NEW_ENDPOINT.names})
     SELECT * FROM ${NEW_ENDPOINT.unnest('c')} RETURNING key`,
    NEW_ENDPOINT.arrays([newEndpointRow(endpoint)]),
  );
  return { ...endpoint, key: (row as { key: number }).key };
}

/** Removes an endpoint in the caller's transaction. See `EndpointStore.remove`. */
export async function removeEndpoint(sql: Sql, key: number, now: number): Promise<boolean> {
  await closeGate(sql, key);
  await removeJobs(sql, key);
  const removed = await sql.run(
    `UPDATE endpoints SET deleted_at = $1, public_token = NULL
     WHERE key = $2 AND deleted_at IS NULL`,
    [now, key],
  );
  await endIssuesOfEndpoint(sql, key, now);
  return removed > 0;
}
