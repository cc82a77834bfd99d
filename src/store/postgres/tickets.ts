import type { Database, Sql } from './database.ts';

/*
 * Sequence numbers are given out in one order and become visible in another:
 * while a transaction that has number 5 is open, 6 may be committed and read.
 * A reader that has read 6 and goes on after it would never see 5. So reads in
 * sequence go up to a horizon below which nothing can appear any more.
 *
 * Writers: before a transaction takes numbers it takes a ticket, a shared
 * advisory lock whose own number is the last sequence number given out until
 * then. All that it takes after that are larger. The lock goes when the
 * transaction has ended, after its rows have become visible (PostgreSQL releases
 * locks last). Nobody waits for anybody.
 *
 * Readers: read the last number given out, then the tickets that are held. What
 * is at or below both the last number and every ticket was taken by transactions
 * that have ended: a snapshot taken after that shows all of it. Later writers
 * take larger numbers, so what was once below the horizon stays there; the
 * newest one computed may be smaller than an older, which then still holds.
 *
 * Rejected: one lock for all, held over the commit (every node would wait for
 * every other's fsync); `xmin` horizons (any open transaction anywhere in the
 * cluster, a backup's or another database's, would hold up all streams).
 */

/** The highest byte of the lock's 64 bits; the rest is the number. */
const CLASS = { event_seqs: 71, attempt_seqs: 72 } as const;
type Sequence = keyof typeof CLASS;
const NUMBER_BITS = 56;

/**
 * Takes a ticket and `count` numbers, in order. `passing` are gates to pass
 * first (a query of them), for the sake of one trip instead of two.
 */
export async function takeNumbers(
  sql: Sql,
  sequence: Sequence,
  count: number,
  gates: { sql: string; values: unknown[] } | null = null,
): Promise<number[]> {
  const rows = await sql.rows<{ number: number }>(
    `WITH ticket AS MATERIALIZED (
       SELECT pg_advisory_xact_lock_shared((${CLASS[sequence]}::bigint << ${NUMBER_BITS})
         | CASE WHEN is_called THEN last_value ELSE 0 END)
       FROM ${sequence}
     )${gates ? `, gates AS MATERIALIZED (${gates.sql})` : ''}
     SELECT nextval('${sequence}') AS number
     FROM ticket CROSS JOIN ${gates ? '(SELECT count(*) FROM gates) g CROSS JOIN' : ''} generate_series(1, $1)`,
    [count, ...(gates?.values ?? [])],
    `numbers ${sequence} ${gates !== null}`,
  );
  return rows.map(({ number }) => number).sort((a, b) => a - b);
}

/** Up to which sequence numbers everything can be read, now and for good. */
export class Horizons {
  readonly #db: Database;
  #eventSeq = 0;
  #attemptSeq = 0;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * A snapshot taken after this resolves holds everything up to it. `isLast`
   * tells that no number beyond was given out.
   */
  async look(): Promise<{ eventSeq: number; attemptSeq: number; isLast: boolean }> {
    // Two statements: what a statement reads of locks is later than its snapshot, but
    // what it reads of sequences must be earlier than what it reads of locks.
    const [last] = await this.#db.rows<{ events: number; attempts: number }>(
      `SELECT (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM event_seqs) AS events,
         (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM attempt_seqs) AS attempts`,
      [],
      'last numbers',
    );
    const held = await this.#db.rows<{ class: number; number: number }>(
      `SELECT (classid::bigint >> 24)::integer AS class,
         min(((classid::bigint & 16777215) << 32) | objid::bigint) AS number
       FROM pg_locks
       WHERE locktype = 'advisory' AND objsubid = 1 AND granted
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
       GROUP BY 1`,
      [],
      'tickets',
    );
    const { events = 0, attempts = 0 } = last ?? {};
    const below = (sequence: Sequence, given: number) => {
      const ticket = held.find((row) => row.class === CLASS[sequence])?.number;
      return ticket === undefined ? given : Math.min(given, ticket);
    };
    this.#eventSeq = Math.max(this.#eventSeq, below('event_seqs', events));
    this.#attemptSeq = Math.max(this.#attemptSeq, below('attempt_seqs', attempts));
    return {
      eventSeq: this.#eventSeq,
      attemptSeq: this.#attemptSeq,
      isLast: this.#eventSeq >= events && this.#attemptSeq >= attempts,
    };
  }
}
