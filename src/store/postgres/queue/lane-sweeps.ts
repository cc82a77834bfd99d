import type { Database } from '../connection/database.ts';
import type { LaneMarks } from './lane-marks.ts';

/**
 * The interval between two sweeps, ms. A sweep finds deliveries that this node doesn't know because
 * another node died or a signal was lost. The leases of a dead node last about this long, so a
 * sweep finds the node's lanes before the leases end.
 */
const SWEEP_EVERY_MS = 60_000;
/** The shortest time between two sweeps that signals request, ms. */
const SWEEP_PAUSE_MS = 5000;

/**
 * Selects the first row of each lane. It makes one seek in the queue's index for each destination,
 * because a scan would read every open delivery. Unlike a poll, it reads the settled rows that a
 * snapshot keeps in the index.
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

/** Selects the lanes whose destinations aren't paused. The end of a pause notes the lane. */
export const SWEEP = `
  ${LANE_KEYS}
  SELECT l.destination_key AS key, l.next_attempt_at AS "dueAt"
  FROM lanes l JOIN destinations d ON d.key = l.destination_key
  WHERE coalesce(d.settings::json ->> 'state', 'active') = 'active'`;

/** The lanes that a node knows, and the sweeps that find further ones. */
export interface NodeLanes {
  marks: LaneMarks;
  sweeps: LaneSweeps;
}

/** Regularly searches for open deliveries of all destinations. */
export class LaneSweeps {
  readonly #db: Database;
  readonly #marks: LaneMarks;
  readonly #onFound: (destinationKeys: ReadonlySet<number>) => void;
  readonly #aborted = new AbortController();
  #sweeping: Promise<void> | null = null;
  /** The monotonic time at which the last sweep ended, ms. */
  #endedAt = Number.NEGATIVE_INFINITY;
  #isRequested = false;
  #hasSwept = false;

  /** @param onFound called with destinations whose lanes are new to this node */
  constructor(
    db: Database,
    marks: LaneMarks,
    onFound: (destinationKeys: ReadonlySet<number>) => void,
  ) {
    this.#db = db;
    this.#marks = marks;
    this.#onFound = onFound;
  }

  /** Makes the next poll start a sweep. Call it if signals were lost or named no destinations. */
  request(): void {
    this.#isRequested = true;
  }

  /**
   * Starts a sweep if one is due. Polls wait only for the first sweep, because this node knows no
   * lane before it. Rejects if the first sweep fails.
   */
  async beforePoll(): Promise<void> {
    const pause = this.#isRequested ? SWEEP_PAUSE_MS : SWEEP_EVERY_MS;
    if (this.#sweeping === null && performance.now() >= this.#endedAt + pause) {
      this.#sweeping = this.#sweep().finally(() => {
        this.#sweeping = null;
      });
      // Ignore the error of a later sweep. The next poll starts another sweep and reports its own
      // error.
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

  /** Aborts a running sweep. */
  async close(): Promise<void> {
    this.#aborted.abort();
    await this.#sweeping?.catch(() => {});
  }
}
