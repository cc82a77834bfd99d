import type { Database, Statement } from 'better-sqlite3';
import { limitReached } from '../../../core/limits.ts';
import type { Endpoint } from '../../../core/model.ts';
import type { EndpointPatch } from '../../contract/endpoints.ts';
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
import type { Writer } from '../files/writer.ts';
import { IssueEnds } from '../issues/issue-ends.ts';
import type { Writes } from '../reader-thread/reads.ts';

/** Reads an `EndpointRow` from the table `endpoints p`. */
const SELECT = `SELECT ${ENDPOINT_COLUMNS} FROM endpoints p`;

export class SqliteEndpoints implements Writes<'endpoints'> {
  readonly #db: Database;
  readonly #writer: Writer;
  readonly #byToken: Statement<[string], EndpointRow>;
  readonly #ends: IssueEnds;

  constructor(db: Database, writer: Writer) {
    this.#db = db;
    this.#writer = writer;
    this.#ends = new IssueEnds(db);
    this.#byToken = db.prepare(`${SELECT} WHERE p.public_token = ?`);
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

  /** Creates an endpoint. Runs in the caller's transaction. */
  createNow(endpoint: Omit<Endpoint, 'key'>): Endpoint {
    const { lastInsertRowid } = this.#db
      .prepare(`INSERT INTO endpoints (${NEW_ENDPOINT.names}) VALUES (${NEW_ENDPOINT.marks})`)
      .run(NEW_ENDPOINT.values(newEndpointRow(endpoint)));
    return { ...endpoint, key: Number(lastInsertRowid) };
  }

  async list(userId: string): Promise<Endpoint[]> {
    return this.#db
      .prepare<[string], EndpointRow>(`
        ${SELECT} WHERE p.user_id = ? AND p.deleted_at IS NULL ORDER BY p.key DESC`)
      .all(userId)
      .map(endpointOf);
  }

  async find(userId: string, id: string): Promise<Endpoint | null> {
    const row = this.#db
      .prepare<[string, string], EndpointRow>(`
        ${SELECT} WHERE p.id = ? AND p.user_id = ? AND p.deleted_at IS NULL`)
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
    before?: Pick<Endpoint, 'source' | 'settings'>,
  ): Promise<Endpoint | 'changed' | null> {
    const present = this.#db.prepare<[number], EndpointRow>(
      `${SELECT} WHERE p.key = ? AND p.deleted_at IS NULL`,
    );
    const update = this.#db.prepare(
      `UPDATE endpoints SET (${CHANGING.names}) = (${CHANGING.marks}) WHERE key = ?`,
    );
    return this.#writer.write(() => {
      const found = present.get(key);
      if (!found) return null;
      if (before && !isSameProof(endpointOf(found), before)) return 'changed';
      const changed = patchedColumns(found, patch);
      update.run(...CHANGING.values(changed), key);
      return endpointOf({ ...found, ...changed });
    });
  }

  remove(key: number, now: number): Promise<boolean> {
    return this.#writer.write(() => this.removeNow(key, now));
  }

  /** Removes an endpoint. Runs in the caller's transaction. */
  removeNow(key: number, now: number): boolean {
    const drop = [
      `DELETE FROM replay_counts WHERE job_key IN
        (SELECT key FROM replay_jobs WHERE endpoint_key = ?)`,
      'DELETE FROM replay_jobs WHERE endpoint_key = ?',
    ].map((sql) => this.#db.prepare<[number]>(sql));
    for (const statement of drop) statement.run(key);
    this.#ends.ofEndpoint(key, now);
    const update = this.#db.prepare(`
      UPDATE endpoints SET deleted_at = ?, public_token = NULL
      WHERE key = ? AND deleted_at IS NULL`);
    return update.run(now, key).changes > 0;
  }
}
