import type { Database, Statement } from 'better-sqlite3';
import { HookrelayError } from '../../core/errors.ts';
import type { ClaimedDelivery } from '../contract/claims.ts';
import type { Outgoing } from '../contract/queue.ts';
import { CONTENT_COLUMNS, type ContentRow, contentOf } from './events.ts';
import { isCorrupt } from './search-index.ts';

/** Reads what deliveries pass on. */
export class OutgoingRequests {
  readonly #request: Statement<[number, number], ContentRow & { method: string; path: string }>;
  readonly #together: (claims: readonly ClaimedDelivery[]) => (Outgoing | null)[];

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
  read(claims: readonly ClaimedDelivery[]): (Outgoing | null)[] {
    return this.#together(claims);
  }

  #read({ endpointKey, eventSeq }: ClaimedDelivery): Outgoing | null {
    try {
      const row = this.#request.get(endpointKey, eventSeq);
      return row ? { ...contentOf(row), method: row.method, path: row.path } : null;
    } catch (error) {
      if (isDamage(error)) return 'damaged';
      throw error;
    }
  }
}

/** Broken pages, a body that isn't what its checksum says, headers that are no JSON. */
function isDamage(error: unknown): boolean {
  return isCorrupt(error) || error instanceof HookrelayError || error instanceof SyntaxError;
}
