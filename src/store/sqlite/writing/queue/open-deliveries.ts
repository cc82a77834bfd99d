import type { Database, Statement } from 'better-sqlite3';
import type { DeliveryRef } from '../../../../core/flow/flow.ts';
import type { DeliveryState, EndedWithoutAttempt } from '../../../../core/model.ts';
import { stateCode } from '../../../shared/codes.ts';

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
}

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

  constructor(db: Database) {
    this.#insert = db.prepare(`
      INSERT INTO open_deliveries (destination_key, event_seq, round, endpoint_key, id, trigger,
        attempts, probes, next_attempt_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
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
        attempts, probes, error_code)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  }

  add(row: OpenRow): void {
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
    );
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

  /** Moves a delivery into the history. */
  settle(
    row: Omit<OpenRow, 'next_attempt_at'>,
    state: Exclude<DeliveryState, 'pending'>,
    errorCode: EndedWithoutAttempt | null = null,
  ): void {
    this.#delete.run(row.destination_key, row.event_seq, row.round);
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
    );
  }
}
