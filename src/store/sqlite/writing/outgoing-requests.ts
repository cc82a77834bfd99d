import type { Database, Statement } from 'better-sqlite3';
import { HookrelayError } from '../../../core/errors.ts';
import type { ClaimedDelivery } from '../../contract/claims.ts';
import type { Outgoing } from '../../contract/queue.ts';
import { isBroken } from '../files/database.ts';
import { CONTENT_COLUMNS, type ContentRow, contentOf } from './events.ts';

/** Which requests a claim brings along. */
export interface PrefetchBounds {
  /** Of one body, bytes. */
  bodyBytes: number;
  /** Of all bodies together. */
  bytes: number;
}

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
    try {
      return this.#together(claims);
    } catch (error) {
      if (!isBroken(error)) throw error;
      // After a broken page SQLite fails the commit too, whose rows were read by then.
      return claims.map((claim) => this.#read(claim));
    }
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
  const isBody = error instanceof HookrelayError && error.code === 'database_unusable';
  return isBody || isBroken(error) || error instanceof SyntaxError;
}
