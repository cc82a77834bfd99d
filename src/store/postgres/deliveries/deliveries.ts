import { type Flow, MOST_URGENT, readFlow } from '../../../core/flow/flow.ts';
import type { ListedDelivery } from '../../../core/model.ts';
import type { DeliveryFilter, DeliveryStore, DeliveryWindow } from '../../contract/deliveries.ts';
import { stateCode } from '../../shared/codes.ts';
import {
  ENDPOINT_COLUMNS,
  type EndpointRow,
  endpointOf,
} from '../../shared/endpoints/stored-endpoint.ts';
import { settingsOf } from '../../shared/stored-settings.ts';
import type { Database, Sql } from '../connection/database.ts';
import { passGate } from '../connection/locks.ts';
import { storable } from '../connection/storable.ts';
import { oldestDue } from '../destinations/destinations.ts';
import { saveFlow } from '../queue/change-flows.ts';
import { OF_LANE } from '../queue/due-deliveries.ts';
import { EventProgresses, firstCounted, type LockedEvent } from '../queue/event-progress.ts';
import type { LaneMarks } from '../queue/lane-marks.ts';
import { lockOrders, OpenOrders } from '../queue/order-turns.ts';
import {
  lockEvents,
  OPEN_REF_COLUMNS,
  type OpenRef,
  ordersOfRefs,
  type Rounds,
} from '../queue/rounds.ts';
import { listDeliveries } from './delivery-list.ts';
import {
  LISTED,
  type ListedRow,
  listedRowOf,
  OPEN_COLUMNS,
  SETTLED_COLUMNS,
} from './delivery-rows.ts';

interface SoughtRow extends OpenRef {
  state: number;
  attempts: number;
  probes: number;
  jobKey: number | null;
}

const SOUGHT = (state: string): string =>
  `${OPEN_REF_COLUMNS}, ${state} AS state, attempts, probes, job_key AS "jobKey"`;

export class PostgresDeliveries implements DeliveryStore {
  readonly #db: Database;
  readonly #rounds: Rounds;
  readonly #marks: LaneMarks;

  constructor(db: Database, rounds: Rounds, marks: LaneMarks) {
    this.#db = db;
    this.#rounds = rounds;
    this.#marks = marks;
  }

  list(
    endpointKey: number,
    filter: DeliveryFilter,
    window: DeliveryWindow,
    signal?: AbortSignal,
  ): Promise<{ deliveries: ListedDelivery[]; total: number }> {
    return this.#db.snapshot((sql) => listDeliveries(sql, endpointKey, filter, window), signal);
  }

  async find(userId: string, deliveryId: string, now: number) {
    const [row] = await this.#db.rows<ListedRow>(
      `${LISTED[0]}
         SELECT ${OPEN_COLUMNS} FROM open_deliveries v WHERE v.id = $1
         UNION ALL
         SELECT ${SETTLED_COLUMNS} FROM deliveries v WHERE v.id = $1
       ${LISTED[1]}`,
      [storable(deliveryId)],
    );
    const endpoint = row && (await this.#owned(row.endpointKey, userId));
    return endpoint ? { endpoint: endpointOf(endpoint), delivery: listedRowOf(row, now) } : null;
  }

  async holder(deliveryId: string): ReturnType<DeliveryStore['holder']> {
    const [first] = await this.#db.rows<{ id: string; orderKey: string }>(
      `SELECT o.id, o.order_key AS "orderKey"
       FROM open_deliveries v
       JOIN open_deliveries o
         ON o.destination_key = v.destination_key AND o.order_key = v.order_key
       WHERE v.id = $1 AND v.behind AND o.turn < v.turn ORDER BY o.turn LIMIT 1`,
      [storable(deliveryId)],
    );
    return first ?? null;
  }

  async findAttempt(userId: string, attemptId: string) {
    const [row] = await this.#db.rows<{ endpointKey: number; eventSeq: number }>(
      `SELECT endpoint_key AS "endpointKey", event_seq AS "eventSeq" FROM attempts WHERE id = $1`,
      [storable(attemptId)],
    );
    const endpoint = row && (await this.#owned(row.endpointKey, userId));
    return endpoint ? { endpoint: endpointOf(endpoint), eventSeq: row.eventSeq } : null;
  }

  async #owned(endpointKey: number, userId: string): Promise<EndpointRow | undefined> {
    const [row] = await this.#db.rows<EndpointRow>(
      `SELECT ${ENDPOINT_COLUMNS} FROM endpoints p
       WHERE p.key = $1 AND p.user_id = $2 AND p.deleted_at IS NULL`,
      [endpointKey, userId],
    );
    return row;
  }

  async retry(deliveryId: string, now: number): ReturnType<DeliveryStore['retry']> {
    const retried = await this.#db.transaction((sql) => this.#retry(sql, deliveryId, now));
    if (retried === null || typeof retried === 'string') return retried;
    const { destinationKey, oldest } = retried;
    if (oldest !== null) this.#marks.note(destinationKey, oldest);
    return { destinationKey };
  }

  async #retry(sql: Sql, deliveryId: string, now: number) {
    const sought = await find(sql, deliveryId);
    if (!sought) return null;
    // Pass the gate, so that a removal or a purge doesn't miss the revived delivery.
    await passGate(sql, sought.endpointKey);
    await lockOrders(sql, ordersOfRefs([sought]));
    const [event] = await lockEvents(sql, [sought]);
    if (!event) return 'settled';
    // Read the delivery again, because an attempt may have settled it before its event was locked.
    const row = await find(sql, deliveryId);
    if (!row) return null;
    const { destinationKey, seq: eventSeq, round } = row;
    const [target] = await sql.rows<{ settings: string; flow: string | null; isRemoved: boolean }>(
      `SELECT settings, flow, removed_at IS NOT NULL AND NOT one_off AS "isRemoved"
       FROM destinations WHERE key = $1 FOR NO KEY UPDATE`,
      [destinationKey],
    );
    if (!target) return 'settled';
    const isOpen = row.state === stateCode('pending');
    const isWanted = isOpen || (!target.isRemoved && (await mayRevive(sql, row, event)));
    if (!isWanted) return 'settled';
    if (settingsOf(target.settings).state !== 'active') return 'paused';
    const flow = await withoutSettled(sql, readFlow(target.flow), destinationKey);
    const isUrgent = flow.urgent.some((one) => one.eventSeq === eventSeq && one.round === round);
    if (!isUrgent && flow.urgent.length >= MOST_URGENT) return 'crowded';
    if (!isOpen) await revive(sql, deliveryId, row, event, now);
    else await release(sql, deliveryId);
    const urgent = isUrgent ? flow.urgent : [...flow.urgent, { eventSeq, round }];
    await saveFlow(sql, destinationKey, { ...flow, urgent });
    return { destinationKey, oldest: await oldestDue(sql, destinationKey) };
  }

  async cancel(deliveryId: string): ReturnType<DeliveryStore['cancel']> {
    const cancelled = await this.#db.transaction(async (sql) => {
      const row = await find(sql, deliveryId);
      if (!row) return null;
      if (row.state !== stateCode('pending')) return 'settled';
      const { ended, freed } = await this.#rounds.end(sql, [row], 'cancelled');
      return ended > 0 ? { destinationKey: row.destinationKey, freed } : 'settled';
    });
    if (cancelled === null || cancelled === 'settled') return cancelled;
    const { destinationKey, freed } = cancelled;
    this.#rounds.noteFreed(freed);
    return { destinationKey };
  }
}

async function find(sql: Sql, deliveryId: string): Promise<SoughtRow | undefined> {
  const [row] = await sql.rows<SoughtRow>(
    `SELECT ${SOUGHT(String(stateCode('pending')))} FROM open_deliveries WHERE id = $1
     UNION ALL SELECT ${SOUGHT('state')} FROM deliveries WHERE id = $1`,
    [storable(deliveryId)],
  );
  return row;
}

/**
 * Returns whether the delivery may be revived. It must be dead, count for its event's status, and
 * be the newest from its event to its destination.
 */
async function mayRevive(
  sql: Sql,
  { state, endpointKey, seq, round, destinationKey }: SoughtRow,
  event: LockedEvent,
): Promise<boolean> {
  if (state !== stateCode('dead') || round < firstCounted(event)) return false;
  const newer = await sql.rows(
    `SELECT 1 FROM open_deliveries
     WHERE destination_key = $3 AND event_seq = $2 AND round > $4
     UNION ALL
     SELECT 1 FROM deliveries
     WHERE endpoint_key = $1 AND event_seq = $2 AND destination_key = $3 AND round > $4`,
    [endpointKey, seq, destinationKey, round],
  );
  return newer.length === 0;
}

/**
 * Frees a delivery that waits for a person. The delivery keeps its turn in its order key. The
 * caller has locked the order key.
 */
async function release(sql: Sql, deliveryId: string): Promise<void> {
  await sql.run(
    `UPDATE open_deliveries v SET unjudged = false, behind = EXISTS (
       SELECT 1 FROM open_deliveries o
       WHERE o.destination_key = v.destination_key AND o.order_key = v.order_key
         AND o.turn < v.turn)
     WHERE id = $1 AND unjudged`,
    [deliveryId],
  );
}

/** Tokens of revived deliveries count seconds since this Unix time, s. A token has 31 bits. */
const TOKEN_EPOCH_S = 1_600_000_000;

/**
 * Reopens a dead delivery, behind the open deliveries of its order key. The caller has locked the
 * order key. The token starts at the current time, far above all earlier tokens. Otherwise an old
 * claim of a silent node could pass for a new one.
 */
async function revive(
  sql: Sql,
  deliveryId: string,
  row: SoughtRow,
  event: LockedEvent,
  now: number,
): Promise<void> {
  const { attempts, probes } = row;
  const orderKeys = ordersOfRefs([row]);
  const orders = await OpenOrders.read(sql, orderKeys);
  const isBehind = orderKeys.some((order) => orders.isBehind(order));
  const heldUntil = isBehind ? 0 : Math.max(0, ...orderKeys.map((o) => orders.heldUntil(o, now)));
  await sql.run(
    `WITH dead AS (DELETE FROM deliveries WHERE id = $1 RETURNING *)
     INSERT INTO open_deliveries (destination_key, event_seq, round, endpoint_key, id, trigger,
       attempts, probes, next_attempt_at, lease_until, token, order_key, turn, behind, job_key,
       held)
     SELECT destination_key, event_seq, round, endpoint_key, id, trigger, attempts, probes, $2, $5::bigint,
       $3, order_key, CASE WHEN order_key IS NULL THEN NULL ELSE nextval('order_turns') END, $4,
       job_key, $5::bigint > 0
     FROM dead`,
    [deliveryId, now, Math.max(0, Math.floor(now / 1000) - TOKEN_EPOCH_S), isBehind, heldUntil],
  );
  const progresses = new EventProgresses([event]);
  progresses.move(
    // A delivery to a one-off URL can't be revived.
    { ...row, isOneOff: false },
    { state: 'dead', attempts, probes },
    { state: 'pending', attempts, probes },
  );
  await progresses.write(sql);
}

/** Returns the flow without urgent retries whose deliveries aren't open. */
async function withoutSettled(sql: Sql, flow: Flow, destinationKey: number): Promise<Flow> {
  if (flow.urgent.length === 0) return flow;
  const open = await sql.rows<{ eventSeq: number; round: number }>(
    `SELECT event_seq AS "eventSeq", round FROM open_deliveries
     WHERE destination_key = $1
       AND (${OF_LANE.names}) IN (SELECT * FROM ${OF_LANE.unnest('n', 2)})`,
    [destinationKey, ...OF_LANE.arrays(flow.urgent)],
  );
  const isOpen = new Set(open.map(({ eventSeq, round }) => `${eventSeq} ${round}`));
  return {
    ...flow,
    urgent: flow.urgent.filter((one) => isOpen.has(`${one.eventSeq} ${one.round}`)),
  };
}
