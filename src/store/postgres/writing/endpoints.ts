import { limitReached } from '../../../core/limits.ts';
import type { CaptureResponse, Destination, Endpoint } from '../../../core/model.ts';
import type { EndpointPatch, EndpointStore } from '../../contract/endpoints.ts';
import { BatchedLookup } from '../connection/batched-lookup.ts';
import type { Database, Sql } from '../connection/database.ts';
import { closeGate, lockAccount } from '../connection/locks.ts';
import { storable } from '../connection/storable.ts';
import type { Rounds } from './rounds.ts';

/** Deliveries cancelled in one commit when a destination is removed with them. */
const CANCEL_SLICE = 1000;

export interface EndpointRow extends Omit<Endpoint, 'response'> {
  response: string | null;
}

/** Of `endpoints p`. */
export const ENDPOINT_COLUMNS = `p.key, p.id, p.user_id AS "userId", p.name,
  p.public_token AS "publicToken", p.is_active AS "isActive", p.response,
  p.created_at AS "createdAt"`;

export class PostgresEndpoints implements EndpointStore {
  readonly #db: Database;
  readonly #rounds: Rounds;
  readonly #byToken: BatchedLookup<Endpoint>;

  constructor(db: Database, rounds: Rounds) {
    this.#db = db;
    this.#rounds = rounds;
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
      const [row] = await sql.rows<EndpointRow>(
        `INSERT INTO endpoints AS p
           (id, user_id, name, public_token, is_active, response, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${ENDPOINT_COLUMNS}`,
        [
          endpoint.id,
          endpoint.userId,
          storable(endpoint.name),
          endpoint.publicToken,
          endpoint.isActive,
          endpoint.response && JSON.stringify(endpoint.response),
          endpoint.createdAt,
        ],
      );
      return endpointOf(row as EndpointRow);
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

  async update(key: number, patch: EndpointPatch): Promise<Endpoint | null> {
    const [row] = await this.#db.rows<EndpointRow>(
      `UPDATE endpoints p SET
         name = coalesce($1, name),
         is_active = coalesce($2, is_active),
         response = CASE WHEN $3 THEN $4 ELSE response END
       WHERE p.key = $5 AND p.deleted_at IS NULL
       RETURNING ${ENDPOINT_COLUMNS}`,
      [
        storable(patch.name ?? null),
        patch.isActive ?? null,
        patch.response !== undefined,
        patch.response ? JSON.stringify(patch.response) : null,
        key,
      ],
    );
    return row ? endpointOf(row) : null;
  }

  remove(key: number, now: number): Promise<boolean> {
    return this.#db.transaction(async (sql) => {
      await closeGate(sql, key);
      await sql.run('DELETE FROM replay_jobs WHERE endpoint_key = $1', [key]);
      const removed = await sql.run(
        `UPDATE endpoints SET deleted_at = $1, public_token = NULL, is_active = false
         WHERE key = $2 AND deleted_at IS NULL`,
        [now, key],
      );
      return removed > 0;
    });
  }

  addDestination(
    endpointKey: number,
    destination: Omit<Destination, 'key'>,
    most: number,
  ): Promise<Destination | null> {
    return this.#db.transaction(async (sql) => {
      // Of two that are added at once, the second counts the first.
      const [alive] = await sql.rows(
        'SELECT 1 FROM endpoints WHERE key = $1 AND deleted_at IS NULL FOR NO KEY UPDATE',
        [endpointKey],
      );
      if (!alive) return null;
      const [has] = await sql.rows<{ destinations: number }>(
        `SELECT count(*) AS destinations FROM destinations
         WHERE endpoint_key = $1 AND removed_at IS NULL`,
        [endpointKey],
      );
      if (has && has.destinations >= most) throw limitReached('destinations', most);
      const [row] = await sql.rows<{ key: number }>(
        `INSERT INTO destinations (id, endpoint_key, url, sealed_secret, created_at)
         VALUES ($1, $2, $3, $4, $5) RETURNING key`,
        [
          destination.id,
          endpointKey,
          storable(destination.url),
          destination.sealedSecret,
          destination.createdAt,
        ],
      );
      return row ? { ...destination, key: row.key } : null;
    });
  }

  listDestinations(endpointKey: number): Promise<Destination[]> {
    return this.#db.rows<Destination>(
      `SELECT d.key, d.id, d.url, d.sealed_secret AS "sealedSecret", d.created_at AS "createdAt"
       FROM destinations d JOIN endpoints p ON p.key = d.endpoint_key
       WHERE d.endpoint_key = $1 AND d.removed_at IS NULL AND p.deleted_at IS NULL
       ORDER BY d.key DESC`,
      [endpointKey],
    );
  }

  async removeDestination(
    endpointKey: number,
    destinationId: string,
    now: number,
    cancelPending: boolean,
  ): Promise<boolean> {
    const cancelSlice = async (sql: Sql) => {
      const key = await findDestination(sql, endpointKey, destinationId);
      return key === null ? 0 : this.#rounds.cancelOpen(sql, key, CANCEL_SLICE);
    };
    // Most of them in slices, while the destination is still there to be asked for
    // again after a crash; the rest and the removal in one commit.
    if (cancelPending) while ((await this.#db.transaction(cancelSlice)) === CANCEL_SLICE);
    return this.#db.transaction(async (sql) => {
      await closeGate(sql, endpointKey);
      const key = await findDestination(sql, endpointKey, destinationId);
      if (key === null) return false;
      await sql.run('UPDATE destinations SET removed_at = $1 WHERE key = $2', [now, key]);
      if (cancelPending) await this.#rounds.cancelOpen(sql, key, Number.MAX_SAFE_INTEGER);
      return true;
    });
  }
}

async function findDestination(
  sql: Sql,
  endpointKey: number,
  destinationId: string,
): Promise<number | null> {
  const [row] = await sql.rows<{ key: number }>(
    `SELECT d.key FROM destinations d JOIN endpoints p ON p.key = d.endpoint_key
     WHERE d.endpoint_key = $1 AND d.id = $2 AND d.removed_at IS NULL AND p.deleted_at IS NULL`,
    [endpointKey, storable(destinationId)],
  );
  return row?.key ?? null;
}

export function endpointOf(row: EndpointRow): Endpoint {
  return {
    key: row.key,
    id: row.id,
    userId: row.userId,
    name: row.name,
    publicToken: row.publicToken,
    isActive: row.isActive,
    response: responseOf(row.response),
    createdAt: row.createdAt,
  };
}

/** What `endpoints.response` holds. */
export function responseOf(json: string | null): CaptureResponse | null {
  return json === null ? null : (JSON.parse(json) as CaptureResponse);
}
