import type { Database } from '../connection/database.ts';
import type { LaneMarks } from './lane-marks.ts';

/**
 * Time between two sweeps, ms. A sweep finds deliveries of dead nodes and of lost signals. A
 * dead node's leases last about as long, so a sweep finds its lanes before they end.
 */
const SWEEP_EVERY_MS = 60_000;
/** Shortest time between two sweeps that signals ask for, ms. */
const SWEEP_PAUSE_MS = 5000;

/**
 * Steps from destination to destination in the queue's index, one seek each. A scan would read
 * every open delivery. Unlike polls, it steps over the settled rows that a snapshot keeps in
 * the index.
 */
export const LANE_KEYS = `
  WITH RECURSIVE lanes AS (
    (SELECT destination_key, next_attempt_at FROM open_deliveries
     WHERE NOT behind ORDER BY destination_key, next_attempt_at LIMIT 1)
    UNION ALL
    SELECT n.destination_key, n.next_attempt_at
    FROM lanes l CROSS JOIN LATERAL (
      SELECT destination_key, next_attempt_at FROM open_deliveries
      WHERE destination_key > l.destination_key AND NOT behind
      ORDER BY destination_key, next_attempt_at LIMIT 1) n
  )`;

/** Lanes whose destinations aren't paused. Ending a pause makes a lane known. */
export const SWEEP = `
  ${LANE_KEYS}
  SELECT l.destination_key AS key, l.next_attempt_at AS "dueAt"
  FROM lanes l JOIN destinations d ON d.key = l.destination_key
  WHERE coalesce(d.settings::json ->> 'state', 'active') = 'active'`;

/** How a node knows its lanes. */
export interface NodeLanes {
  marks: LaneMarks;
  sweeps: LaneSweeps;
}

/** Looks for open deliveries of all destinations from time to time. */
export class LaneSweeps {
  readonly #db: Database;
  readonly #marks: LaneMarks;
  readonly #onFound: (destinationKeys: ReadonlySet<number>) => void;
  readonly #aborted = new AbortController();
  #sweeping: Promise<void> | null = null;
  /** Monotonic time at which the last sweep ended, ms. */
  #endedAt = Number.NEGATIVE_INFINITY;
  #isRequested = false;
  #hasSwept = false;

  /** @param onFound called with destinations that are new to this node */
  constructor(
    db: Database,
    marks: LaneMarks,
    onFound: (destinationKeys: ReadonlySet<number>) => void,
  ) {
    this.#db = db;
    this.#marks = marks;
    this.#onFound = onFound;
  }

  /** Makes the next poll sweep, because signals were lost or named no destinations. */
  request(): void {
    this.#isRequested = true;
  }

  /**
   * Starts a sweep if one is due. Polls wait only for the first sweep, before which this node
   * knows no lane. Rejects if the first sweep fails.
   */
  async beforePoll(): Promise<void> {
    const pause = this.#isRequested ? SWEEP_PAUSE_MS : SWEEP_EVERY_MS;
    if (this.#sweeping === null && performance.now() >= this.#endedAt + pause) {
      this.#sweeping = this.#sweep().finally(() => {
        this.#sweeping = null;
      });
      // The next poll repeats a failed later sweep, and reports its own error.
      this.#sweeping.catch(() => {});
    }
    if (!this.#hasSwept) await this.#sweeping;
  }

  async #sweep(): Promise<void> {
    this.#isRequested = false;
    const lanes = await this.#db.snapshot(
      (sql) => sql.rows<{ key: number; dueAt: number }>(SWEEP),
      this.#aborted.signal,
    );
    const found = lanes.filter(({ key, dueAt }) => this.#marks.note(key, dueAt));
    const isFirst = !this.#hasSwept;
    this.#hasSwept = true;
    this.#endedAt = performance.now();
    if (!isFirst && found.length > 0) this.#onFound(new Set(found.map(({ key }) => key)));
  }

  /** Ends a sweep under way. */
  async close(): Promise<void> {
    this.#aborted.abort();
    await this.#sweeping?.catch(() => {});
  }
}
