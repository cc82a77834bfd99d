import type { Database, Statement } from 'better-sqlite3';
import { limitReached } from '../../../core/limits.ts';
import type { CaptureResponse, Endpoint } from '../../../core/model.ts';
import type { Source } from '../../../core/proof/source.ts';
import type { EndpointPatch } from '../../contract/endpoints.ts';
import { expectedSince, mayJudge } from '../../shared/issues/expectation.ts';
import { dedupeOf, isSameProof, sourceOf, storedSource } from '../../shared/proof/stored-proof.ts';
import type { Writes } from '../reading/reads.ts';
import { IssueEnds } from './issues/issue-ends.ts';
import type { Writer } from './writer.ts';

export interface EndpointRow extends SourceRow {
  key: number;
  id: string;
  user_id: string;
  name: string;
  public_token: string;
  is_active: number;
  response: string | null;
  created_at: number;
  settings_version: number;
  filters: number;
  retention_ms: number | null;
  dedupe: string | null;
  expect_every_ms: number | null;
  hold_unjudged: number;
}

export interface SourceRow {
  source: string | null;
  sealed_source_secrets: Uint8Array | null;
}

const ENDPOINT_COLUMNS =
  'key, id, user_id, name, public_token, is_active, response, created_at, settings_version, filters, retention_ms, source, sealed_source_secrets, dedupe, expect_every_ms, hold_unjudged' as const;

export class SqliteEndpoints implements Writes<'endpoints'> {
  readonly #db: Database;
  readonly #writer: Writer;
  readonly #byToken: Statement<[string], EndpointRow>;
  readonly #ends: IssueEnds;

  constructor(db: Database, writer: Writer) {
    this.#db = db;
    this.#writer = writer;
    this.#ends = new IssueEnds(db);
    this.#byToken = db.prepare(`SELECT ${ENDPOINT_COLUMNS} FROM endpoints WHERE public_token = ?`);
  }

  create(endpoint: Omit<Endpoint, 'key'>, most: number): Promise<Endpoint> {
    const count = this.#db
      .prepare<[string], number>(
        'SELECT count(*) FROM endpoints WHERE user_id = ? AND deleted_at IS NULL',
      )
      .pluck();
    return this.#writer.write(() => {
      if (Number(count.get(endpoint.userId)) >= most) throw limitReached('endpoints', most);
      return this.createNow(endpoint);
    });
  }

  /** Creates an endpoint in the caller's transaction. */
  createNow(endpoint: Omit<Endpoint, 'key'>): Endpoint {
    const { lastInsertRowid } = this.#db
      .prepare(`
        INSERT INTO endpoints (id, user_id, name, public_token, is_active, response, retention_ms,
          source, sealed_source_secrets, dedupe, expect_every_ms, expected_since, hold_unjudged,
          created_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
      .run(
        endpoint.id,
        endpoint.userId,
        endpoint.name,
        endpoint.publicToken,
        endpoint.isActive ? 1 : 0,
        endpoint.response && JSON.stringify(endpoint.response),
        endpoint.retentionMs,
        storedSource(endpoint.source),
        endpoint.source?.sealedSecrets ?? null,
        endpoint.dedupe && JSON.stringify(endpoint.dedupe),
        endpoint.expectEveryMs,
        endpoint.expectEveryMs === null ? null : endpoint.createdAt,
        Number(endpoint.onUnjudged === 'hold'),
        endpoint.createdAt,
      );
    return { ...endpoint, key: Number(lastInsertRowid) };
  }

  async list(userId: string): Promise<Endpoint[]> {
    return this.#db
      .prepare<[string], EndpointRow>(`
        SELECT ${ENDPOINT_COLUMNS} FROM endpoints
        WHERE user_id = ? AND deleted_at IS NULL ORDER BY key DESC`)
      .all(userId)
      .map(endpointOf);
  }

  async find(userId: string, id: string): Promise<Endpoint | null> {
    const row = this.#db
      .prepare<[string, string], EndpointRow>(`
        SELECT ${ENDPOINT_COLUMNS} FROM endpoints
        WHERE id = ? AND user_id = ? AND deleted_at IS NULL`)
      .get(id, userId);
    return row ? endpointOf(row) : null;
  }

  async findByPublicToken(publicToken: string): Promise<Endpoint | null> {
    const row = this.#byToken.get(publicToken);
    return row ? endpointOf(row) : null;
  }

  update(
    key: number,
    patch: EndpointPatch,
    before?: Pick<Endpoint, 'source' | 'dedupe'>,
  ): Promise<Endpoint | 'changed' | null> {
    const present = this.#db.prepare<[number], EndpointRow>(
      `SELECT ${ENDPOINT_COLUMNS} FROM endpoints WHERE key = ? AND deleted_at IS NULL`,
    );
    const update = this.#db.prepare<unknown[], EndpointRow>(`
      UPDATE endpoints SET
        name = coalesce(?, name),
        is_active = coalesce(?, is_active),
        response = CASE WHEN ? THEN ? ELSE response END,
        retention_ms = CASE WHEN ? THEN ? ELSE retention_ms END,
        source = CASE WHEN @hasSource THEN @source ELSE source END,
        sealed_source_secrets =
          CASE WHEN @hasSource THEN @secrets ELSE sealed_source_secrets END,
        dedupe = CASE WHEN ? THEN ? ELSE dedupe END,
        expect_every_ms = CASE WHEN @hasExpect THEN @everyMs ELSE expect_every_ms END,
        expected_since = CASE WHEN @hasExpect THEN @expectedSince ELSE expected_since END,
        hold_unjudged = coalesce(@holds, hold_unjudged),
        settings_version = settings_version + @judges
      WHERE key = ? AND deleted_at IS NULL
      RETURNING ${ENDPOINT_COLUMNS}`);
    return this.#writer.write(() => {
      const found = present.get(key);
      if (before && found && !isSameProof(endpointOf(found), before)) return 'changed';
      const row = update.get(
        patch.name ?? null,
        patch.isActive === undefined ? null : Number(patch.isActive),
        patch.response === undefined ? 0 : 1,
        patch.response ? JSON.stringify(patch.response) : null,
        patch.retentionMs === undefined ? 0 : 1,
        patch.retentionMs ?? null,
        patch.dedupe === undefined ? 0 : 1,
        patch.dedupe ? JSON.stringify(patch.dedupe) : null,
        key,
        {
          hasSource: patch.source === undefined ? 0 : 1,
          source: storedSource(patch.source ?? null),
          secrets: patch.source?.sealedSecrets ?? null,
          hasExpect: patch.expect === undefined ? 0 : 1,
          everyMs: patch.expect?.everyMs ?? null,
          expectedSince: expectedSince(patch),
          holds: patch.onUnjudged === undefined ? null : Number(patch.onUnjudged === 'hold'),
          judges: mayJudge(patch) ? 1 : 0,
        },
      );
      return row ? endpointOf(row) : null;
    });
  }

  remove(key: number, now: number): Promise<boolean> {
    return this.#writer.write(() => this.removeNow(key, now));
  }

  /** Removes an endpoint in the caller's transaction. */
  removeNow(key: number, now: number): boolean {
    const drop = [
      `DELETE FROM replay_counts WHERE job_key IN
        (SELECT key FROM replay_jobs WHERE endpoint_key = ?)`,
      'DELETE FROM replay_jobs WHERE endpoint_key = ?',
    ].map((sql) => this.#db.prepare<[number]>(sql));
    for (const statement of drop) statement.run(key);
    this.#ends.ofEndpoint(key, now);
    const update = this.#db.prepare(`
      UPDATE endpoints SET deleted_at = ?, public_token = NULL, is_active = 0
      WHERE key = ? AND deleted_at IS NULL`);
    return update.run(now, key).changes > 0;
  }
}

export function endpointOf(row: EndpointRow): Endpoint {
  return {
    key: row.key,
    id: row.id,
    userId: row.user_id,
    name: row.name,
    publicToken: row.public_token,
    isActive: row.is_active === 1,
    response: responseOf(row.response),
    retentionMs: row.retention_ms,
    source: sourceIn(row),
    dedupe: dedupeOf(row),
    expectEveryMs: row.expect_every_ms,
    onUnjudged: row.hold_unjudged === 1 ? 'hold' : 'deliver',
    createdAt: row.created_at,
  };
}

/** The source in a row of `endpoints`. */
export function sourceIn(row: SourceRow): Source | null {
  return sourceOf({ source: row.source, sealedSourceSecrets: row.sealed_source_secrets });
}

/** Parses `endpoints.response`. */
export function responseOf(json: string | null): CaptureResponse | null {
  return json === null ? null : (JSON.parse(json) as CaptureResponse);
}
