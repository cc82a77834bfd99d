import { newId } from '../../../core/ids.ts';
import type { EndedWithoutAttempt } from '../../../core/model.ts';
import type { OrderKey } from '../../../core/rules/verdict.ts';
import type { ClaimedDestination } from '../../contract/claims.ts';
import { stateCode, triggerCode } from '../../shared/codes.ts';
import type { RowOf } from '../../shared/columns.ts';
import {
  DELIVERY_KEY,
  OPEN_DELIVERY,
  SETTLED_DELIVERY,
} from '../../shared/deliveries/delivery-columns.ts';
import {
  TAKER_COLUMNS,
  type TakerRow,
  takersOf,
} from '../../shared/destinations/claimed-destination.ts';
import { EVENT_KEY } from '../../shared/events/event-columns.ts';
import type { ClaimCollector } from '../../shared/queue/claim-collector.ts';
import { type NewRound, newClaim, orderKeyFor } from '../../shared/queue/new-round.ts';
import type { Sql } from '../connection/database.ts';
import type { EndedClaim } from './ended-claims.ts';
import { EventProgresses, type LockedEvent } from './event-progress.ts';
import type { LaneMarks } from './lane-marks.ts';
import {
  type EndedTurn,
  endTurns,
  type Freed,
  lockOrders,
  type OpenOrders,
} from './order-turns.ts';

/** A new delivery. With a lease but no token, it is a held head (see queue/ended-claims.ts). */
const NEW_DELIVERY = OPEN_DELIVERY.and({ leaseUntil: 'bigint', token: 'integer' });
export type NewDelivery = RowOf<typeof NEW_DELIVERY>;

/**
 * Returns the SQL that inserts new deliveries.
 *
 * @param first the number of the first parameter
 */
export const insertDeliveries = (first: number): string => `
  INSERT INTO open_deliveries (${NEW_DELIVERY.names}, attempts, held, turn)
  SELECT v.*, 0, v.token = 0 AND v.lease_until > 0,
    CASE WHEN v.order_key IS NULL THEN NULL ELSE nextval('order_turns') END
  FROM ${NEW_DELIVERY.unnest('v', first)}`;

/** Returns the parameters of `insertDeliveries`. */
export const deliveryArrays = (rows: readonly NewDelivery[]) => NEW_DELIVERY.arrays(rows);

/** Identifies an open delivery and its event. */
export interface OpenRef {
  destinationKey: number;
  endpointKey: number;
  seq: number;
  round: number;
  orderKey: string | null;
}

/** Columns of `open_deliveries` for an `OpenRef`. */
export const OPEN_REF_COLUMNS = `destination_key AS "destinationKey", endpoint_key AS "endpointKey",
  event_seq AS seq, round, order_key AS "orderKey"`;

export interface EndedRow extends EndedTurn, EndedClaim {
  seq: number;
  round: number;
  attempts: number;
  probes: number;
  jobKey: number | null;
  isOneOff: boolean;
}

/**
 * Returns SQL that ends open deliveries. The caller has locked their order keys and events.
 *
 * @param from selects the rows `v`
 */
export const endDeliveries = (from: string, state: string, errorCode: string): string => `
  WITH ended AS (DELETE FROM open_deliveries v ${from} RETURNING v.*), moved AS (
    INSERT INTO deliveries (${SETTLED_DELIVERY.names})
    SELECT ${SETTLED_DELIVERY.names}
    FROM (SELECT *, ${state} AS state, ${errorCode} AS error_code FROM ended) e
  )
  SELECT event_seq AS seq, round, attempts, probes, destination_key AS "destinationKey",
    order_key AS "orderKey", turn, behind, unjudged, job_key AS "jobKey", id, token,
    lease_until AS "leaseUntil", held,
    (SELECT one_off FROM destinations WHERE key = destination_key) AS "isOneOff"
  FROM ended`;

const END = endDeliveries(
  `USING ${DELIVERY_KEY.unnest('m', 3)}
   WHERE v.destination_key = m.destination_key AND v.event_seq = m.event_seq
     AND v.round = m.round`,
  '$1::smallint',
  '$2::text',
);

/**
 * Makes and ends the deliveries of events. All methods that take `sql` run in the caller's
 * transaction.
 *
 * Every transaction takes locks in this order:
 *
 * 1. gates
 * 2. order keys, by their bucket
 * 3. accepted requests, by sequence
 * 4. keys of repeated requests (capture/first-events.ts)
 * 5. events, by sequence
 * 6. deliveries
 * 7. destinations, by key
 * 8. issues, by key
 * 9. rejected requests, by endpoint
 * 10. counters
 * 11. jobs of bulk replays, by key
 * 12. counters of jobs
 *
 * A transaction locks an event before it changes the state of one of the event's deliveries. So it
 * computes the event's status from the last committed state. A transaction that opens or ends
 * deliveries locks their order keys before it locks their events (queue/order-turns.ts).
 *
 * Three kinds of transactions use another order, but can't deadlock:
 *
 * - A transaction that deletes an event locks the event first, and then frees the event's key of
 *   repeated requests. After that it takes no gate and no order key.
 * - Work on a job locks the job's row before events. This lock doesn't block transactions that
 *   count the job's deliveries.
 * - Claims lock a destination before its deliveries, but they skip locked rows and never wait.
 *
 * The lock of an order key lasts until the fsync. So captures and attempts that have an order key
 * get their own commits (`isApart`), and take sequence numbers after these locks. As a result, a
 * wait for an order key delays no other account and no reader in sequence.
 */
export class Rounds {
  readonly #marks: LaneMarks;

  constructor(marks: LaneMarks) {
    this.#marks = marks;
  }

  /** Notes the lanes of new deliveries. Call it after the commit. */
  noteOpened(opened: readonly NewDelivery[]): void {
    for (const { destinationKey, nextAttemptAt, behind } of opened) {
      if (!behind) this.#marks.note(destinationKey, nextAttemptAt);
    }
  }

  /** Notes the lanes of freed deliveries. Call it after the commit. */
  noteFreed(freed: readonly Freed[]): void {
    for (const { destinationKey, dueAt } of freed) this.#marks.note(destinationKey, dueAt);
  }

  /** Returns the current destinations by endpoint key, without disabled ones. */
  async destinations(
    sql: Sql,
    endpointKeys: readonly number[],
  ): Promise<Map<number, ClaimedDestination[]>> {
    const rows = await sql.rows<TakerRow & { endpointKey: number }>(
      `SELECT d.endpoint_key AS "endpointKey", ${TAKER_COLUMNS}
       FROM destinations d
       WHERE d.endpoint_key = ANY($1) AND d.removed_at IS NULL ORDER BY d.key`,
      [endpointKeys],
      'destinations',
    );
    const byEndpoint = Map.groupBy(rows, ({ endpointKey }) => endpointKey);
    return new Map([...byEndpoint].map(([key, ofEndpoint]) => [key, takersOf(ofEndpoint)]));
  }

  /**
   * Makes a delivery for each destination, due now. Claims the deliveries that `handover` allows.
   * It never claims a delivery that is behind another, that waits for a person, or whose order key
   * waits for an ended claim.
   *
   * @param opened gets the new rows
   * @param orders the order keys of the round
   * @returns the keys of destinations where the delivery waits behind an earlier one
   */
  open(
    round: NewRound,
    destinations: readonly ClaimedDestination[],
    handover: ClaimCollector,
    opened: NewDelivery[],
    orders: OpenOrders,
  ): ReadonlySet<number> {
    const ordered = new Set<number>();
    for (const destination of destinations) {
      const { key: destinationKey } = destination;
      const id = newId('dlv', round.now);
      const orderKey = orderKeyFor(destinationKey, round.orderKeys);
      let behind = round.isHeld;
      let heldUntil = 0;
      if (orderKey !== null) {
        const order = { destinationKey, key: orderKey };
        behind = orders.isBehind(order) || behind;
        heldUntil = behind ? 0 : orders.heldUntil(order, round.now);
      }
      if (behind) ordered.add(destinationKey);
      const mayGo = !behind && heldUntil === 0;
      const isClaimed = mayGo && handover.allows(destination);
      const token = isClaimed ? 1 : 0;
      opened.push({
        destinationKey,
        eventSeq: round.seq,
        round: round.round,
        endpointKey: round.endpointKey,
        id,
        trigger: triggerCode(round.trigger),
        nextAttemptAt: round.now,
        orderKey,
        behind,
        jobKey: round.jobKey,
        unjudged: round.isHeld,
        leaseUntil: isClaimed ? handover.terms.leaseUntil : heldUntil,
        token,
      });
      if (!mayGo) continue;
      if (!isClaimed) {
        handover.unclaimed.add(destinationKey);
        continue;
      }
      handover.add(newClaim(round, destination, { id, token, orderKey }));
    }
    return ordered;
  }

  /** Returns the order keys of the events' open deliveries. */
  async ordersOf(sql: Sql, endpointKey: number, seqs: readonly number[]): Promise<OrderKey[]> {
    return sql.rows<OrderKey>(
      `SELECT v.destination_key AS "destinationKey", v.order_key AS key
       FROM destinations d CROSS JOIN LATERAL (
         SELECT destination_key, order_key FROM open_deliveries
         WHERE destination_key = d.key AND event_seq = ANY($2) AND order_key IS NOT NULL
         OFFSET 0) v
       WHERE d.endpoint_key = $1`,
      [endpointKey, seqs],
      'orders of events',
    );
  }

  /**
   * Cancels up to `limit` open deliveries of a destination, those of the oldest events first.
   *
   * @param upTo the sequence number of the last event whose deliveries it cancels
   * @returns `more`: whether to call again; `freed`: for `noteFreed`
   */
  async cancelOpen(
    sql: Sql,
    destinationKey: number,
    limit: number,
    upTo = Number.MAX_SAFE_INTEGER,
  ): Promise<{ cancelled: number; more: boolean; freed: Freed[] }> {
    const open = await sql.rows<OpenRef>(
      `SELECT ${OPEN_REF_COLUMNS}
       FROM open_deliveries WHERE destination_key = $1 AND event_seq <= $3
       ORDER BY event_seq, round LIMIT $2`,
      [destinationKey, limit, upTo],
    );
    const { ended, events, freed } = await this.end(sql, open, 'cancelled');
    return { cancelled: ended, more: open.length === limit && events > 0, freed };
  }

  /**
   * Ends open deliveries and their claims without an attempt. Leaves out deliveries that have
   * settled meanwhile, and deliveries whose events or endpoints are deleted.
   *
   * @returns the number of ended deliveries, the number of their events, and `freed` for
   *   `noteFreed`
   */
  async end(
    sql: Sql,
    open: readonly OpenRef[],
    state: 'cancelled' | 'dead',
    errorCode: EndedWithoutAttempt | null = null,
  ): Promise<{ ended: number; events: number; freed: Freed[] }> {
    if (open.length === 0) return { ended: 0, events: 0, freed: [] };
    await lockOrders(sql, ordersOfRefs(open));
    const events = await lockEvents(sql, open);
    const isThere = new Set(events.map(({ seq }) => seq));
    const refs = open.filter(({ seq }) => isThere.has(seq));
    const keys = refs.map(({ seq: eventSeq, ...ref }) => ({ ...ref, eventSeq }));
    const ended = await sql.rows<EndedRow>(END, [
      stateCode(state),
      errorCode,
      ...DELIVERY_KEY.arrays(keys),
    ]);
    const freed = await endTurns(sql, ended);
    const progresses = new EventProgresses(events);
    for (const row of ended) {
      const { attempts, probes } = row;
      progresses.move(row, { state: 'pending', attempts, probes }, { state, attempts, probes });
    }
    await progresses.write(sql);
    return { ended: ended.length, events: events.length, freed };
  }
}

export function ordersOfRefs(refs: readonly OpenRef[]): OrderKey[] {
  return refs.flatMap(({ destinationKey, orderKey }) =>
    orderKey === null ? [] : [{ destinationKey, key: orderKey }],
  );
}

/**
 * Locks events by sequence number. Leaves out events that are deleted or whose endpoints are.
 *
 * @param columns SQL of more columns
 * @param name the prepared statement's name, one for these columns, at most 63 characters
 */
export function lockEvents<T extends LockedEvent>(
  sql: Sql,
  refs: readonly { endpointKey: number; seq: number }[],
  columns = '',
  name = 'lock events',
): Promise<T[]> {
  return sql.rows<T>(
    `SELECT e.endpoint_key AS "endpointKey", e.seq, e.status, e.round,
       e.counted_from AS "countedFrom", e.open, e.succeeded, e.dead, e.failed${columns}
     FROM events e JOIN endpoints p ON p.key = e.endpoint_key
     WHERE (e.endpoint_key, e.seq) IN (SELECT * FROM ${EVENT_KEY.unnest('k')})
       AND p.deleted_at IS NULL
     ORDER BY e.seq FOR NO KEY UPDATE OF e`,
    EVENT_KEY.arrays(refs),
    name,
  );
}
