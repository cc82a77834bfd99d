import type { Sql } from '../../connection/database.ts';
import { storable } from '../../connection/storable.ts';

/** A rejected request of an endpoint. */
export interface RejectedRef {
  endpointKey: number;
  id: string;
}

/** Takes rows away, which are locked in one order first. Returns those that were there. */
const TAKE = `
  WITH found AS MATERIALIZED (
    SELECT r.seq FROM unnest($1::bigint[], $2::text[]) AS a(endpoint_key, id)
    JOIN rejected_requests r ON r.id = a.id AND r.endpoint_key = a.endpoint_key
    ORDER BY r.seq FOR UPDATE OF r
  )
  DELETE FROM rejected_requests r USING found f WHERE r.seq = f.seq
  RETURNING r.endpoint_key AS "endpointKey", r.id`;

/** The rejected requests that one transaction accepts. Each can be accepted once. */
export class Accepted {
  readonly #ids: Set<string>;

  private constructor(ids: Set<string>) {
    this.#ids = ids;
  }

  /** Takes them away from the rejected ones. None cost no statement. */
  static async take(sql: Sql, refs: readonly RejectedRef[]): Promise<Accepted> {
    if (refs.length === 0) return new Accepted(new Set());
    const taken = await sql.rows<RejectedRef>(TAKE, [
      refs.map(({ endpointKey }) => endpointKey),
      refs.map(({ id }) => storable(id)),
    ]);
    return new Accepted(new Set(taken.map(({ id }) => id)));
  }

  /** False where another call has accepted it, or it is gone. */
  accept(id: string): boolean {
    return this.#ids.delete(storable(id));
  }
}
