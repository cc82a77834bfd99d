import type { Database, Statement } from 'better-sqlite3';
import type { DeliveryRef, Flow } from '../../../core/flow/flow.ts';
import type { DeliveryState, EndedWithoutAttempt } from '../../../core/model.ts';
import { stateCode } from '../../shared/codes.ts';
import { type BitRowOf, Columns, type RowOf } from '../../shared/columns.ts';
import { OPEN_DELIVERY, SETTLED_DELIVERY } from '../../shared/deliveries/delivery-columns.ts';

/** The columns that an attempt changes while the delivery stays open. */
const MOVED = new Columns({ attempts: 'integer', probes: 'integer', nextAttemptAt: 'bigint' });
const OPEN = OPEN_DELIVERY.and({
  attempts: 'integer',
  probes: 'integer',
  /** The delivery's position among the deliveries of its order key. */
  turn: 'bigint?',
});

export type OpenRow = BitRowOf<typeof OPEN>;
/** Columns of `open_deliveries v` that make an `OpenRow`. */
export const OPEN_COLUMNS = OPEN.read('v');

export type NewOpenRow = RowOf<typeof OPEN>;

type EndedRow = Omit<RowOf<typeof SETTLED_DELIVERY>, 'state' | 'errorCode'>;

export interface DeliveryKey extends DeliveryRef {
  destinationKey: number;
}

/**
 * The table of open deliveries. The callers count the deliveries of jobs. All methods run in the
 * writer's transaction.
 */
export class OpenDeliveries {
  readonly #insert: Statement<unknown[]>;
  readonly #find: Statement<[number, number, number], OpenRow>;
  readonly #move: Statement<unknown[]>;
  readonly #delete: Statement<[number, number, number]>;
  readonly #settle: Statement<unknown[]>;
  readonly #lastTurn: Statement<[number, string], number | null>;
  readonly #free: Statement<[number, string]>;
  readonly #release: Statement<[OpenRow]>;

  constructor(db: Database) {
    this.#insert = db.prepare(`
      INSERT INTO open_deliveries (${OPEN.names}) VALUES (${OPEN.marks})`);
    this.#find = db.prepare(`
      SELECT ${OPEN_COLUMNS} FROM open_deliveries v
      WHERE destination_key = ? AND event_seq = ? AND round = ?`);
    this.#move = db.prepare(`
      UPDATE open_deliveries SET (${MOVED.names}) = (${MOVED.marks})
      WHERE destination_key = ? AND event_seq = ? AND round = ?`);
    this.#delete = db.prepare(
      'DELETE FROM open_deliveries WHERE destination_key = ? AND event_seq = ? AND round = ?',
    );
    this.#settle = db.prepare(`
      INSERT INTO deliveries (${SETTLED_DELIVERY.names}) VALUES (${SETTLED_DELIVERY.marks})`);
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
      WHERE destination_key = @destinationKey AND event_seq = @eventSeq AND round = @round`);
  }

  add(row: NewOpenRow): void {
    this.#insert.run(...OPEN.values(row));
  }

  /** @param isHeld whether the new delivery waits for a person's decision */
  placeOf(
    destinationKey: number,
    orderKey: string | null,
    isHeld: boolean,
  ): Pick<NewOpenRow, 'behind' | 'turn'> {
    if (orderKey === null) return { behind: isHeld, turn: null };
    const last = this.#lastTurn.get(destinationKey, orderKey) ?? null;
    return { behind: isHeld || last !== null, turn: (last ?? 0) + 1 };
  }

  /** Releases a delivery that waits for a person. It keeps its place in the order. */
  release(row: OpenRow): void {
    if (row.unjudged === 1) this.#release.run(row);
  }

  find({ destinationKey, eventSeq, round }: DeliveryKey): OpenRow | null {
    return this.#find.get(destinationKey, eventSeq, round) ?? null;
  }

  /** Removes retries by hand from a flow if their deliveries have ended. */
  withoutEnded(flow: Flow, destinationKey: number): Flow {
    const urgent = flow.urgent.filter((ref) => this.find({ destinationKey, ...ref }));
    return { ...flow, urgent };
  }

  move({ destinationKey, eventSeq, round }: DeliveryKey, to: RowOf<typeof MOVED>): void {
    this.#move.run(...MOVED.values(to), destinationKey, eventSeq, round);
  }

  /**
   * Stores an open delivery as settled. Returns whether this frees the next delivery of its order
   * key.
   *
   * @param counts the counts to store if they differ from those in the row
   */
  settle(
    row: EndedRow,
    state: Exclude<DeliveryState, 'pending' | 'succeeded'>,
    errorCode: EndedWithoutAttempt | null = null,
    counts: Pick<EndedRow, 'attempts' | 'probes'> = row,
  ): boolean {
    const freesNext = this.remove(row);
    this.#settle.run(
      ...SETTLED_DELIVERY.values({
        destinationKey: row.destinationKey,
        eventSeq: row.eventSeq,
        round: row.round,
        endpointKey: row.endpointKey,
        id: row.id,
        trigger: row.trigger,
        state: stateCode(state),
        attempts: counts.attempts,
        probes: counts.probes,
        errorCode,
        orderKey: row.orderKey,
        jobKey: row.jobKey,
      }),
    );
    return freesNext;
  }

  /** Deletes a delivery. Returns what `settle` returns. */
  remove(row: EndedRow): boolean {
    this.#delete.run(row.destinationKey, row.eventSeq, row.round);
    if (row.orderKey === null) return false;
    return this.#free.run(row.destinationKey, row.orderKey).changes > 0;
  }
}
