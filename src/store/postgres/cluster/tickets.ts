import type { LivePosition } from '../../contract/live.ts';
import type { Database, Sql } from '../connection/database.ts';
import type { Histories } from './histories.ts';
import { later, type Sequence, TICKET_CLASS } from './numbers.ts';

/*
 * Transactions take sequence numbers in one order and become visible in another. While the
 * transaction with number 5 is open, number 6 may already be committed. A reader that continues
 * after 6 would never see 5. So reads in sequence end at a horizon. No new row can appear below the
 * horizon.
 *
 * Writers: a transaction takes a ticket before it takes numbers. The ticket is a shared advisory
 * lock. The lock's key contains the last sequence number in use, so all numbers of the transaction
 * are larger. PostgreSQL makes the transaction's rows visible before it releases the lock. No
 * writer waits for another.
 *
 * Readers: a reader first reads the last number in use, then the tickets that are held. The horizon
 * is the smallest of these numbers. All numbers up to the horizon belong to ended transactions, so
 * a later snapshot shows all of their rows. Later writers take larger numbers, so a horizon stays
 * valid, even if a later calculation gives a smaller one.
 *
 * Rejected: one lock for all writers, because every node would wait for every other node's fsync.
 * Rejected: `xmin` horizons, because any open transaction in the cluster, such as a backup's, would
 * delay all streams.
 */

const NUMBER_BITS = 56;

/**
 * Takes a ticket, then returns `count` new sequence numbers, in order.
 *
 * @param gates a query of `GATE_SQL` that runs first in the same statement, to save a round trip
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

/** Finds the horizon (see the head of this file). */
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
   * Returns the horizon. Every snapshot taken after this call shows everything up to the horizon.
   * `isLast` is true if no number beyond the horizon is in use.
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
