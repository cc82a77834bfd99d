import type { Database, Statement } from 'better-sqlite3';
import { isBroken, openAnother } from '../files/database.ts';
import type { StoredBody } from '../writing/stored-body.ts';

/** Page cache for the bodies, KiB: they are read once, one after the other. */
const CACHE_KIB = 1024;
/** Read at once. */
const PORTION_BYTES = 256 * 1024;

type NewBody = StoredBody & { seq: number };
/** One whose pages are broken. */
type Unreadable = { seq: number; body: null };

/**
 * What the index is made from, by a connection of its own. A broken page of the events
 * is no fault of the index, which would meet it again when made anew: a body that can't be
 * read is handed on as such, and what can't be told at all throws another error than SQLite's.
 */
export class EventsToIndex {
  readonly #db: Database;
  readonly #after: Statement<[number, number], NewBody>;
  readonly #seqsAfter: Statement<[number, number], number>;
  readonly #one: Statement<[number], NewBody>;
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

  /** The newest sequence number that was given out, of a deleted event too. */
  lastCaptured(): number {
    return reading(() => this.#lastCaptured.get()) ?? 0;
  }

  /** The bodies after `seq`, in order; as soon as one can't be read, each is read by itself. */
  *after(seq: number, limit: number): Generator<NewBody | Unreadable, void> {
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

  /** The oldest of those that were deleted since they were indexed. */
  deleted(limit: number): number[] {
    return reading(() => this.#deleted.all(limit));
  }

  anyIn({ first, last }: { first: number; last: number }): boolean {
    return reading(() => this.#anyIn.get(first, last)) !== undefined;
  }

  close(): void {
    this.#db.close();
  }

  /** Read before they are worked on: the log can't be cut back past this read. */
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
      // The next portion begins with what can't be read.
      if (rows.length === 0 || !isBroken(error)) throw error;
    }
    return rows;
  }

  #alone(seq: number): NewBody | Unreadable {
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
    throw new Error(`the events cannot be read to be indexed: ${(error as Error).message}`);
  }
}
