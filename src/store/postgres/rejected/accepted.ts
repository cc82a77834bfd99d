import { Columns, type RowOf } from '../../shared/columns.ts';
import type { Sql } from '../connection/database.ts';
import { storable } from '../connection/storable.ts';

const REF = new Columns({ endpointKey: 'bigint', id: 'text' });
type RejectedRef = RowOf<typeof REF>;

/** Locks rows in a fixed order, then deletes them. Returns the rows that existed. */
const TAKE = `
  WITH found AS MATERIALIZED (
    SELECT r.seq FROM ${REF.unnest('a')}
    JOIN rejected_requests r ON r.id = a.id AND r.endpoint_key = a.endpoint_key
    ORDER BY r.seq FOR UPDATE OF r
  )
  DELETE FROM rejected_requests r USING found f WHERE r.seq = f.seq
  RETURNING ${REF.read('r')}`;

/** The rejected requests that a transaction accepts. A request can be accepted only once. */
export class Accepted {
  readonly #ids: Set<string>;

  private constructor(ids: Set<string>) {
    this.#ids = ids;
  }

  /** Deletes the rejected requests. */
  static async take(sql: Sql, refs: readonly RejectedRef[]): Promise<Accepted> {
    if (refs.length === 0) return new Accepted(new Set());
    const rows = refs.map(({ endpointKey, id }) => ({ endpointKey, id: storable(id) }));
    const taken = await sql.rows<RejectedRef>(TAKE, REF.arrays(rows));
    return new Accepted(new Set(taken.map(({ id }) => id)));
  }

  /** Accepts a request. Returns false if it was already accepted or deleted. */
  accept(id: string): boolean {
    return this.#ids.delete(storable(id));
  }
}
