import type { LivePosition } from '../../contract/live.ts';
import type { Database, Sql } from '../connection/database.ts';
import type { Histories } from './histories.ts';
import { later, type Sequence, TICKET_CLASS } from './numbers.ts';

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
 * locks last). No writer waits for another.
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

const NUMBER_BITS = 56;

/**
 * Takes a ticket and `count` numbers, in order. `gates` is a query that passes gates
 * first: one round trip instead of two.
 */
export async function takeNumbers(
  sql: Sql,
  sequence: Sequence,
  count: number,
  gates: { sql: string; values: unknown[] } | null = null,
): Promise<number[]> {
  const rows = await sql.rows<{ number: number }>(
    `WITH ticket AS MATERIALIZED (
       SELECT pg_advisory_xact_lock_shared((${TICKET_CLASS[sequence]}::bigint << ${NUMBER_BITS})
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

/** The sequence numbers up to which everything can be read, now and for good. */
export class Horizons {
  readonly #db: Database;
  readonly #histories: Histories;
  #horizon: LivePosition = { eventSeq: 0, attemptSeq: 0 };

  constructor(db: Database, histories: Histories) {
    this.#db = db;
    this.#histories = histories;
    histories.subscribe((horizon) => {
      this.#horizon = horizon;
    });
  }

  /**
   * Resolves with the horizon. A snapshot taken after that shows everything up to it.
   * `isLast` says that no larger number was given out.
   */
  async get(): Promise<LivePosition & { isLast: boolean }> {
    for (;;) {
      const numbers = await this.#db.one((sql) => this.#histories.numbers(sql));
      if (!numbers) continue;
      this.#horizon = later(this.#horizon, numbers.horizon);
      const { eventSeq, attemptSeq } = this.#horizon;
      const { given } = numbers;
      const isLast = eventSeq >= given.eventSeq && attemptSeq >= given.attemptSeq;
      return { eventSeq, attemptSeq, isLast };
    }
  }
}
