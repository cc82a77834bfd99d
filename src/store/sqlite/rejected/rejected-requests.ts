import type { Database, Statement } from 'better-sqlite3';
import {
  MOST_REJECTED,
  MOST_REJECTED_BYTES,
  mostPerSecond,
} from '../../../core/proof/rejected-limits.ts';
import { NEW_REJECTED, newRejectedRow } from '../../shared/rejected/rejected-rows.ts';
import { firstSlice } from '../../shared/upkeep/doomed-events.ts';
import type { RequestRows } from '../events/prepared-request.ts';

const REJECTED = NEW_REJECTED.and({ body: 'bytea' });

interface SizedRow {
  seq: number;
  size: number;
}

/**
 * Stores and deletes the requests that enforced sources refused. All methods run in the writer's
 * transaction. They are fast, because an endpoint has at most `MOST_REJECTED` rows and an index has
 * the sizes.
 */
export class RejectedRequests {
  readonly #around: Statement<[number, number, number, number], number>;
  readonly #insert: Statement<unknown[]>;
  readonly #total: Statement<[number], { count: number; bytes: number }>;
  readonly #oldest: Statement<[number, number], SizedRow>;
  readonly #expired: Statement<
    [{ now: number | null; before: number | null; most: number }],
    SizedRow
  >;
  readonly #delete: Statement<[number]>;
  readonly #take: Statement<[string, number]>;

  constructor(db: Database) {
    this.#around = db
      .prepare<[number, number, number, number], number>(`
        SELECT count(*) FROM (
          SELECT 1 FROM rejected_requests
          WHERE endpoint_key = ? AND received_at > ? AND received_at < ?
          LIMIT ?)`)
      .pluck();
    this.#insert = db.prepare(`
      INSERT INTO rejected_requests (${REJECTED.names}) VALUES (${REJECTED.marks})`);
    this.#total = db.prepare(`
      SELECT count(*) AS count, coalesce(sum(size), 0) AS bytes
      FROM rejected_requests WHERE endpoint_key = ?`);
    this.#oldest = db.prepare(`
      SELECT seq, size FROM rejected_requests
      WHERE endpoint_key = ? ORDER BY received_at, seq LIMIT ?`);
    this.#expired = db.prepare(`
      SELECT r.seq, r.size FROM endpoints p
      CROSS JOIN rejected_requests r
        ON r.endpoint_key = p.key AND r.received_at < coalesce(@now - p.retention_ms, @before)
      LIMIT @most`);
    this.#delete = db.prepare('DELETE FROM rejected_requests WHERE seq = ?');
    this.#take = db.prepare('DELETE FROM rejected_requests WHERE id = ? AND endpoint_key = ?');
  }

  /** Stores a request unless too many arrived within a second of it. Call `trim` afterwards. */
  add(endpointKey: number, request: RequestRows): void {
    const { receivedAt, verdict } = request;
    const most = mostPerSecond(verdict?.verification ?? null);
    const around = this.#around.get(endpointKey, receivedAt - 1000, receivedAt + 1000, most);
    if (around === most) return;
    this.#insert.run(
      ...REJECTED.values({ ...newRejectedRow(request, endpointKey), body: request.body }),
    );
  }

  /** Deletes the oldest requests while the endpoint is over its limits. */
  trim(endpointKey: number): void {
    let { count, bytes } = this.#total.get(endpointKey) as { count: number; bytes: number };
    while (count > MOST_REJECTED || bytes > MOST_REJECTED_BYTES) {
      const oldest = this.#oldest.get(endpointKey, 1);
      if (!oldest) return;
      this.#delete.run(oldest.seq);
      count -= 1;
      bytes -= oldest.size;
    }
  }

  /** Deletes a request. Returns false if the endpoint has no such request. */
  take(endpointKey: number, id: string): boolean {
    return this.#take.run(id, endpointKey).changes > 0;
  }

  isAny(endpointKey: number): boolean {
    return this.#oldest.get(endpointKey, 1) !== undefined;
  }

  /** Whether any request is past its endpoint's retention. */
  isExpired(now: number | null, before: number | null): boolean {
    return this.#expired.get({ now, before, most: 1 }) !== undefined;
  }

  /** Deletes a slice of an endpoint's requests. Returns whether more are left. */
  purgeSlice(endpointKey: number, most: number): boolean {
    return this.#deleteSlice(this.#oldest.all(endpointKey, most), most);
  }

  /** Deletes a slice of the requests past their retention. Returns whether more are left. */
  retireSlice(now: number | null, before: number | null, most: number): boolean {
    return this.#deleteSlice(this.#expired.all({ now, before, most }), most);
  }

  #deleteSlice(rows: readonly SizedRow[], most: number): boolean {
    const slice = firstSlice(rows);
    for (const { seq } of slice) this.#delete.run(seq);
    return slice.length < rows.length || rows.length === most;
  }
}
