import { limitReached } from '../../../core/limits.ts';
import type { CaptureResponse, Endpoint } from '../../../core/model.ts';
import type { Dedupe } from '../../../core/proof/dedupe.ts';
import type { EndpointPatch, EndpointStore } from '../../contract/endpoints.ts';
import type { Judged } from '../../shared/filtered-events.ts';
import { expectedSince, mayJudge } from '../../shared/issues/expectation.ts';
import {
  dedupeOf,
  isSameProof,
  type SourceColumns,
  sourceOf,
  storedSource,
} from '../../shared/proof/stored-proof.ts';
import { BatchedLookup } from '../connection/batched-lookup.ts';
import type { Database, Sql } from '../connection/database.ts';
import { closeGate, lockAccount } from '../connection/locks.ts';
import { storable } from '../connection/storable.ts';
import { guessesOf } from '../reading/requests/guesses.ts';
import { endIssuesOfEndpoint } from './issue-ends.ts';
import { removeJobs } from './replays/job-rows.ts';

export interface EndpointRow
  extends Omit<Endpoint, 'response' | 'source' | 'dedupe' | 'onUnjudged'>,
    SourceColumns,
    Judged {
  response: string | null;
  holdUnjudged: boolean;
}

/** Columns of `endpoints p`. */
export const ENDPOINT_COLUMNS = `p.key, p.id, p.user_id AS "userId", p.name,
  p.public_token AS "publicToken", p.is_active AS "isActive", p.response,
  p.created_at AS "createdAt", p.settings_version AS "settingsVersion", p.filters,
  p.retention_ms AS "retentionMs", p.source, p.sealed_source_secrets AS "sealedSourceSecrets",
  p.dedupe, p.expect_every_ms AS "expectEveryMs", p.hold_unjudged AS "holdUnjudged",
  p.source IS NOT NULL OR p.dedupe IS NOT NULL AS "isProved"`;

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
    before?: Pick<Endpoint, 'source' | 'dedupe'>,
  ): Promise<Endpoint | 'changed' | null> {
    if (patch.source === undefined && patch.dedupe === undefined) {
      return update(this.#db, key, patch);
    }
    // A capture that has passed the gate commits by what it read: no commit after this one
    // is by the source or the keys of before.
    return this.#db.transaction(async (sql) => {
      await closeGate(sql, key);
      // Nobody else changes the row while the gate is closed.
      const [found] = await sql.rows<EndpointRow>(
        `SELECT ${ENDPOINT_COLUMNS} FROM endpoints p WHERE p.key = $1 AND p.deleted_at IS NULL`,
        [key],
      );
      if (before && found && !isSameProof(endpointOf(found), before)) return 'changed';
      return update(sql, key, patch);
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
  const [row] = await sql.rows<EndpointRow>(
    `INSERT INTO endpoints AS p
       (id, user_id, name, public_token, is_active, response, retention_ms, created_at,
        source, sealed_source_secrets, dedupe, expect_every_ms, expected_since, hold_unjudged)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
     RETURNING ${ENDPOINT_COLUMNS}`,
    [
      endpoint.id,
      endpoint.userId,
      storable(endpoint.name),
      endpoint.publicToken,
      endpoint.isActive,
      endpoint.response && JSON.stringify(endpoint.response),
      endpoint.retentionMs,
      endpoint.createdAt,
      storable(storedSource(endpoint.source)),
      endpoint.source?.sealedSecrets ?? null,
      storable(storedDedupe(endpoint.dedupe)),
      endpoint.expectEveryMs,
      endpoint.expectEveryMs === null ? null : endpoint.createdAt,
      endpoint.onUnjudged === 'hold',
    ],
  );
  return endpointOf(row as EndpointRow);
}

/** Removes an endpoint in the caller's transaction. See `EndpointStore.remove`. */
export async function removeEndpoint(sql: Sql, key: number, now: number): Promise<boolean> {
  await closeGate(sql, key);
  await removeJobs(sql, key);
  const removed = await sql.run(
    `UPDATE endpoints SET deleted_at = $1, public_token = NULL, is_active = false
     WHERE key = $2 AND deleted_at IS NULL`,
    [now, key],
  );
  await endIssuesOfEndpoint(sql, key, now);
  return removed > 0;
}

async function update(sql: Sql, key: number, patch: EndpointPatch): Promise<Endpoint | null> {
  const { source, dedupe } = patch;
  const [row] = await sql.rows<EndpointRow>(
    `UPDATE endpoints p SET
       name = coalesce($1, name),
       is_active = coalesce($2, is_active),
       response = CASE WHEN $3 THEN $4 ELSE response END,
       retention_ms = CASE WHEN $5 THEN $6 ELSE retention_ms END,
       source = CASE WHEN $7 THEN $8 ELSE source END,
       sealed_source_secrets = CASE WHEN $7 THEN $9 ELSE sealed_source_secrets END,
       dedupe = CASE WHEN $10 THEN $11 ELSE dedupe END,
       expect_every_ms = CASE WHEN $12 THEN $13 ELSE expect_every_ms END,
       expected_since = CASE WHEN $12 THEN $14 ELSE expected_since END,
       hold_unjudged = coalesce($15, hold_unjudged),
       settings_version = settings_version + $16
     WHERE p.key = $17 AND p.deleted_at IS NULL
     RETURNING ${ENDPOINT_COLUMNS}`,
    [
      storable(patch.name ?? null),
      patch.isActive ?? null,
      patch.response !== undefined,
      patch.response ? JSON.stringify(patch.response) : null,
      patch.retentionMs !== undefined,
      patch.retentionMs ?? null,
      source !== undefined,
      storable(storedSource(source ?? null)),
      source?.sealedSecrets ?? null,
      dedupe !== undefined,
      storable(storedDedupe(dedupe ?? null)),
      patch.expect !== undefined,
      patch.expect?.everyMs ?? null,
      expectedSince(patch),
      patch.onUnjudged === undefined ? null : patch.onUnjudged === 'hold',
      mayJudge(patch) ? 1 : 0,
      key,
    ],
  );
  return row ? endpointOf(row) : null;
}

function storedDedupe(dedupe: Dedupe | null): string | null {
  return dedupe === null ? null : JSON.stringify(dedupe);
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
    retentionMs: row.retentionMs,
    source: sourceOf(row),
    dedupe: dedupeOf(row),
    expectEveryMs: row.expectEveryMs,
    onUnjudged: row.holdUnjudged ? 'hold' : 'deliver',
    createdAt: row.createdAt,
  };
}

/** Parses `endpoints.response`. */
export function responseOf(json: string | null): CaptureResponse | null {
  return json === null ? null : (JSON.parse(json) as CaptureResponse);
}
