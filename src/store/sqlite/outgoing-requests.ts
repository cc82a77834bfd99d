import type { Database, Statement } from 'better-sqlite3';
import type { ClaimedDelivery } from '../contract/claims.ts';
import type { OutgoingRequest } from '../contract/queue.ts';
import { CONTENT_COLUMNS, type ContentRow, contentOf } from './events.ts';

/** Reads what deliveries pass on. */
export class OutgoingRequests {
  readonly #request: Statement<[number, number], ContentRow & { method: string; path: string }>;
  readonly #together: (claims: readonly ClaimedDelivery[]) => (OutgoingRequest | null)[];

  constructor(db: Database) {
    this.#request = db.prepare(`
      SELECT ${CONTENT_COLUMNS}, e.method, e.path
      FROM events e
      JOIN endpoints p ON p.key = e.endpoint_key
      JOIN event_contents c ON c.seq = e.seq
      WHERE e.endpoint_key = ? AND e.seq = ? AND p.deleted_at IS NULL`);
    // One read transaction for all of them: SQLite else takes and drops its locks for each.
    this.#together = db.transaction((claims: readonly ClaimedDelivery[]) =>
      claims.map((claim) => this.#read(claim)),
    );
  }

  /** In the order of the claims; null where the event is gone. */
  read(claims: readonly ClaimedDelivery[]): (OutgoingRequest | null)[] {
    return this.#together(claims);
  }

  #read({ endpointKey, eventSeq }: ClaimedDelivery): OutgoingRequest | null {
    const row = this.#request.get(endpointKey, eventSeq);
    return row ? { ...contentOf(row), method: row.method, path: row.path } : null;
  }
}
