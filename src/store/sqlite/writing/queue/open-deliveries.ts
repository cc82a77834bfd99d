import type { Database, Statement } from 'better-sqlite3';
import type { DeliveryRef } from '../../../../core/flow/flow.ts';
import type { DeliveryState, EndedWithoutAttempt } from '../../../../core/model.ts';
import { stateCode } from '../../../shared/codes.ts';
import { JobCounts } from '../replays/job-counts.ts';

/** An open delivery. */
export interface OpenRow {
  destination_key: number;
  event_seq: number;
  round: number;
  endpoint_key: number;
  id: string;
  trigger: number;
  attempts: number;
  probes: number;
  next_attempt_at: number;
  /** The value by which the destination orders it; null without one. */
  order_key: string | null;
  /** Its place among those with the same order key. */
  turn: number | null;
  /** 1 where an earlier delivery of the same order key is open, and where a person decides. */
  behind: number;
  /** 1 where it waits for a person, because its event couldn't be judged. */
  unjudged: number;
  /** The bulk replay that made it. */
  job_key: number | null;
}

/** A delivery to open. Its place in the order is found as it is added. */
export type NewOpenRow = Omit<OpenRow, 'turn' | 'behind'>;

/** A delivery to settle. */
type EndedRow = Omit<OpenRow, 'next_attempt_at' | 'turn' | 'behind' | 'unjudged'>;

/** Names a delivery. */
export interface DeliveryKey extends DeliveryRef {
  destinationKey: number;
}

/**
 * The table of open deliveries, and the way from there into the history. All methods
 * run inside the writer's transaction.
 */
export class OpenDeliveries {
  readonly #insert: Statement<unknown[]>;
  readonly #find: Statement<[number, number, number], OpenRow>;
  readonly #move: Statement<[number, number, number, number, number, number]>;
  readonly #delete: Statement<[number, number, number]>;
  readonly #settle: Statement<unknown[]>;
  readonly #lastTurn: Statement<[number, string], number | null>;
  readonly #free: Statement<[number, string]>;
  readonly #release: Statement<[OpenRow]>;
  readonly #jobs: JobCounts;

  constructor(db: Database) {
    this.#jobs = new JobCounts(db);
    this.#insert = db.prepare(`
      INSERT INTO open_deliveries (destination_key, event_seq, round, endpoint_key, id, trigger,
        attempts, probes, next_attempt_at, order_key, turn, behind, job_key, unjudged)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
    this.#find = db.prepare(`
      SELECT * FROM open_deliveries WHERE destination_key = ? AND event_seq = ? AND round = ?`);
    this.#move = db.prepare(`
      UPDATE open_deliveries SET attempts = ?, probes = ?, next_attempt_at = ?
      WHERE destination_key = ? AND event_seq = ? AND round = ?`);
    this.#delete = db.prepare(
      'DELETE FROM open_deliveries WHERE destination_key = ? AND event_seq = ? AND round = ?',
    );
    this.#settle = db.prepare(`
      INSERT INTO deliveries (endpoint_key, event_seq, round, destination_key, id, trigger, state,
        attempts, probes, error_code, order_key, job_key)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
    this.#lastTurn = db
      .prepare<[number, string], number | null>(
        'SELECT max(turn) FROM open_deliveries WHERE destination_key = ? AND order_key = ?',
      )
      .pluck();
    this.#free = db.prepare(`
      UPDATE open_deliveries SET behind = 0
      WHERE (destination_key, event_seq, round) = (
        SELECT destination_key, event_seq, round FROM open_deliveries
        WHERE destination_key = ? AND order_key = ? ORDER BY turn LIMIT 1)
      AND behind = 1 AND unjudged = 0`);
    this.#release = db.prepare(`
      UPDATE open_deliveries AS v SET unjudged = 0, behind = EXISTS (
        SELECT 1 FROM open_deliveries o
        WHERE o.destination_key = v.destination_key AND o.order_key = v.order_key
          AND o.turn < v.turn)
      WHERE destination_key = @destination_key AND event_seq = @event_seq AND round = @round`);
  }

  /**
   * Returns whether it waits behind another one of its order key, or for a person.
   *
   * @param before the state of a delivery that is open again
   */
  add(row: NewOpenRow, before: 'dead' | null = null): boolean {
    this.#jobs.move(row.job_key, before, 'pending');
    const last =
      row.order_key === null ? null : this.#lastTurn.get(row.destination_key, row.order_key);
    const isBehind = typeof last === 'number' || row.unjudged === 1;
    this.#insert.run(
      row.destination_key,
      row.event_seq,
      row.round,
      row.endpoint_key,
      row.id,
      row.trigger,
      row.attempts,
      row.probes,
      row.next_attempt_at,
      row.order_key,
      row.order_key === null ? null : (last ?? 0) + 1,
      isBehind ? 1 : 0,
      row.job_key,
      row.unjudged,
    );
    return isBehind;
  }

  /** Holds a delivery no longer that waits for a person. It keeps its place in the order. */
  release(row: OpenRow): void {
    if (row.unjudged === 1) this.#release.run(row);
  }

  find({ destinationKey, eventSeq, round }: DeliveryKey): OpenRow | null {
    return this.#find.get(destinationKey, eventSeq, round) ?? null;
  }

  move(
    { destinationKey, eventSeq, round }: DeliveryKey,
    {
      attempts,
      probes,
      nextAttemptAt,
    }: { attempts: number; probes: number; nextAttemptAt: number },
  ): void {
    this.#move.run(attempts, probes, nextAttemptAt, destinationKey, eventSeq, round);
  }

  /**
   * Moves a delivery into the history. Returns whether that lets the next one of its order
   * key go.
   */
  settle(
    row: EndedRow,
    state: Exclude<DeliveryState, 'pending'>,
    errorCode: EndedWithoutAttempt | null = null,
  ): boolean {
    const freesNext = this.#take(row);
    this.#jobs.move(row.job_key, 'pending', state);
    this.#settle.run(
      row.endpoint_key,
      row.event_seq,
      row.round,
      row.destination_key,
      row.id,
      row.trigger,
      stateCode(state),
      row.attempts,
      row.probes,
      errorCode,
      row.order_key,
      row.job_key,
    );
    return freesNext;
  }

  /** Deletes a delivery, which its job counts as cancelled. Returns as `settle` does. */
  remove(row: OpenRow): boolean {
    this.#jobs.move(row.job_key, 'pending', 'cancelled');
    return this.#take(row);
  }

  #take(row: EndedRow): boolean {
    this.#delete.run(row.destination_key, row.event_seq, row.round);
    if (row.order_key === null) return false;
    return this.#free.run(row.destination_key, row.order_key).changes > 0;
  }
}
