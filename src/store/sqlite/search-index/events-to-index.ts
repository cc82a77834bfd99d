import type { Database, Statement } from 'better-sqlite3';
import type { StoredBody } from '../events/stored-body.ts';
import { isBroken, openAnother } from '../files/database.ts';

/** Page cache, KiB. It is small, because each body is read only once. */
const CACHE_KIB = 1024;
/** The total size of bodies after which a read ends, bytes. */
const PORTION_BYTES = 256 * 1024;

type NewBody = StoredBody & { seq: number };
/** An event whose body is on broken pages. */
type Unreadable = { seq: number; body: null };
export type EventToIndex = NewBody | Unreadable;

/**
 * Reads the events to index, on its own connection. A rebuild of the index doesn't repair broken
 * pages of events. So an unreadable body is returned as `Unreadable`. For other broken reads, this
 * class throws an error that doesn't look like SQLite's.
 */
export class EventsToIndex {
  readonly #db: Database;
  readonly #after: Statement<[number, number], NewBody>;
  readonly #seqsAfter: Statement<[number, number], number>;
  readonly #one: Statement<[number], NewBody>;
  readonly #contentType: Statement<[number], string | null>;
  readonly #lastCaptured: Statement<[], number>;
  readonly #deleted: Statement<[number], number>;
  readonly #anyIn: Statement<[number, number], number>;

  constructor(file: string) {
    const db = openAnother(file, { readonly: true, cacheKib: CACHE_KIB });
    this.#db = db;
    this.#after = db.prepare(
      'SELECT seq, body, uncompressed_size FROM event_contents WHERE seq > ? ORDER BY seq LIMIT ?',
    );
    this.#seqsAfter = db
      .prepare<[number, number], number>(
        'SELECT seq FROM event_contents WHERE seq > ? ORDER BY seq LIMIT ?',
      )
      .pluck();
    this.#one = db.prepare('SELECT seq, body, uncompressed_size FROM event_contents WHERE seq = ?');
    this.#contentType = db
      .prepare<[number], string | null>(`
        SELECT e.content_type FROM event_contents c
        JOIN events e ON e.endpoint_key = c.endpoint_key AND e.seq = c.seq WHERE c.seq = ?`)
      .pluck();
    this.#lastCaptured = db
      .prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'event_contents'")
      .pluck();
    this.#deleted = db
      .prepare<[number], number>('SELECT seq FROM search_tombstones ORDER BY seq LIMIT ?')
      .pluck();
    this.#anyIn = db
      .prepare<[number, number], number>(
        'SELECT 1 FROM event_contents WHERE seq BETWEEN ? AND ? LIMIT 1',
      )
      .pluck();
  }

  /** Returns the last sequence number given out, even if its event is deleted. */
  lastCaptured(): number {
    return reading(() => this.#lastCaptured.get()) ?? 0;
  }

  /**
   * Returns the bodies after `seq`, in order. After an unreadable body, reads each body separately.
   */
  *after(seq: number, limit: number): Generator<EventToIndex, void> {
    let last = seq;
    let left = limit;
    try {
      while (left > 0) {
        const portion = this.#portion(last, left);
        yield* portion;
        const end = portion.at(-1);
        if (!end) return;
        last = end.seq;
        left -= portion.length;
      }
    } catch (error) {
      if (!isBroken(error)) throw error;
      for (const next of reading(() => this.#seqsAfter.all(last, left))) yield this.#alone(next);
    }
  }

  /** Returns null if the event is gone or has no content type. */
  contentType(seq: number): string | null {
    return reading(() => this.#contentType.get(seq)) ?? null;
  }

  /** Returns the oldest events that were deleted but may still be in the index. */
  deleted(limit: number): number[] {
    return reading(() => this.#deleted.all(limit));
  }

  anyIn({ first, last }: { first: number; last: number }): boolean {
    return reading(() => this.#anyIn.get(first, last)) !== undefined;
  }

  close(): void {
    this.#db.close();
  }

  /** Reads a whole portion at once, because the write-ahead log can't shrink during a read. */
  #portion(seq: number, limit: number): NewBody[] {
    const rows: NewBody[] = [];
    let bytes = 0;
    try {
      for (const row of this.#after.iterate(seq, limit)) {
        rows.push(row);
        bytes += row.body.length;
        if (bytes >= PORTION_BYTES) break;
      }
    } catch (error) {
      // The rows so far are returned. The next portion begins with the unreadable body.
      if (rows.length === 0 || !isBroken(error)) throw error;
    }
    return rows;
  }

  #alone(seq: number): EventToIndex {
    try {
      return this.#one.get(seq) ?? { seq, body: null };
    } catch (error) {
      if (!isBroken(error)) throw error;
      return { seq, body: null };
    }
  }
}

function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!isBroken(error)) throw error;
    throw new Error(`the indexer cannot read the events: ${(error as Error).message}`);
  }
}
