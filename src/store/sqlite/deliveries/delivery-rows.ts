import type { Database, Statement } from 'better-sqlite3';
import { shownNextAttempt, waitsFor } from '../../../core/flow/waits-for.ts';
import type {
  AttemptErrorCode,
  Delivery,
  EndedWithoutAttempt,
  ListedDelivery,
} from '../../../core/model.ts';
import { stateCode, stateOf, triggerOf, unjudgedOf } from '../../shared/codes.ts';
import { createdAtOf, listedError } from '../../shared/deliveries/listed-delivery.ts';
import { controlOf } from '../../shared/destinations/claimed-destination.ts';
import { SHOWN_DESTINATION_ID } from '../destinations/destination-rows.ts';
import { DeliveryIds, type DeliveryPlace } from './delivery-ids.ts';

/** A delivery of either table, with its destination. */
export interface DeliveryRow {
  endpointKey: number;
  eventSeq: number;
  round: number;
  id: string;
  destinationKey: number;
  /** Null for a one-off URL. */
  destinationId: string | null;
  destinationUrl: string;
  trigger: number;
  state: number;
  attempts: number;
  /** Null for a settled one. */
  nextAttemptAt: number | null;
  /** 1 where an earlier delivery of its order key is open. */
  behind: number;
  /** 1 where it waits for a person. */
  isHeld: number;
  /** `events.unjudged`. */
  unjudged: number | null;
  /** Why it died without an attempt. */
  errorCode: EndedWithoutAttempt | null;
  /** JSON. */
  settings: string;
  flow: string | null;
}

const OF_DESTINATION = `v.destination_key AS destinationKey, ${SHOWN_DESTINATION_ID} AS destinationId,
  d.url AS destinationUrl, d.settings, d.flow,
  (SELECT unjudged FROM events WHERE endpoint_key = v.endpoint_key AND seq = v.event_seq) AS unjudged`;

/** Columns of `open_deliveries v` and its destination `d`. */
export const OPEN_COLUMNS = `v.endpoint_key AS endpointKey, v.event_seq AS eventSeq, v.round, v.id,
  v.trigger, ${stateCode('pending')} AS state, v.attempts, v.next_attempt_at AS nextAttemptAt,
  v.behind, v.unjudged AS isHeld, NULL AS errorCode, ${OF_DESTINATION}`;
/** The same columns of `deliveries v`. */
export const SETTLED_COLUMNS = `v.endpoint_key AS endpointKey, v.event_seq AS eventSeq, v.round,
  v.id, v.trigger, v.state, v.attempts, NULL AS nextAttemptAt, 0 AS behind, 0 AS isHeld,
  v.error_code AS errorCode,
  ${OF_DESTINATION}`;

export function deliveryOf(row: DeliveryRow, now: number): Delivery {
  const { id, destinationId, destinationUrl, attempts, nextAttemptAt } = row;
  const { settings, flow } = controlOf(row);
  const reason =
    nextAttemptAt === null
      ? null
      : waitsFor(
          settings,
          flow,
          { nextAttemptAt, isBehind: row.behind === 1, isUnjudged: row.isHeld === 1 },
          now,
        );
  return {
    ...{ id, destinationId, destinationUrl, attempts },
    trigger: triggerOf(row.trigger),
    state: stateOf(row.state),
    nextAttemptAt: nextAttemptAt === null ? null : shownNextAttempt(reason, nextAttemptAt),
    waitsFor: reason,
    unjudged: unjudgedOf(row.unjudged),
  };
}

/** Reads deliveries of both tables. */
export class DeliveryRows {
  readonly #ofEvent: Statement<[number, number], DeliveryRow>;
  readonly #ids: DeliveryIds;
  readonly #open: Statement<[DeliveryPlace], DeliveryRow>;
  readonly #settled: Statement<[DeliveryPlace], DeliveryRow>;
  readonly #eventId: Statement<[number, number], string>;
  readonly #lastError: Statement<[number, string], LastError>;

  constructor(db: Database) {
    this.#ofEvent = db.prepare(`
      SELECT * FROM (
        SELECT ${OPEN_COLUMNS}
        FROM event_contents c
        CROSS JOIN endpoints p ON p.key = c.endpoint_key AND p.deleted_at IS NULL
        CROSS JOIN destinations d ON d.endpoint_key = c.endpoint_key
        CROSS JOIN open_deliveries v ON v.destination_key = d.key AND v.event_seq = c.seq
        WHERE c.seq = ?
        UNION ALL
        SELECT ${SETTLED_COLUMNS}
        FROM event_contents c
        CROSS JOIN endpoints p ON p.key = c.endpoint_key AND p.deleted_at IS NULL
        CROSS JOIN events e ON e.endpoint_key = c.endpoint_key AND e.seq = c.seq
        CROSS JOIN deliveries v
          ON v.endpoint_key = c.endpoint_key AND v.event_seq = c.seq
            AND v.round >= coalesce(e.counted_from, e.round)
        CROSS JOIN destinations d ON d.key = v.destination_key
        WHERE c.seq = ?)
      ORDER BY round, destinationKey`);
    this.#ids = new DeliveryIds(db);
    const at = (columns: string, table: string) =>
      db.prepare<[DeliveryPlace], DeliveryRow>(`
        SELECT ${columns} FROM ${table} v JOIN destinations d ON d.key = v.destination_key
        WHERE v.endpoint_key = @endpointKey AND v.destination_key = @destinationKey
          AND v.event_seq = @eventSeq AND v.round = @round`);
    this.#open = at(OPEN_COLUMNS, 'open_deliveries');
    this.#settled = at(SETTLED_COLUMNS, 'deliveries');
    this.#eventId = db
      .prepare<[number, number], string>('SELECT id FROM events WHERE endpoint_key = ? AND seq = ?')
      .pluck();
    this.#lastError = db.prepare(`
      SELECT error_code AS errorCode, error_message AS errorMessage, response_code AS responseCode
      FROM attempts WHERE event_seq = ? AND delivery_id = ? ORDER BY id DESC LIMIT 1`);
  }

  /** See `EventStore.deliveries`. */
  ofEvent(seq: number): DeliveryRow[] {
    const rows = this.#ofEvent.all(seq, seq);
    const newest = new Map(rows.map(({ destinationKey, round }) => [destinationKey, round]));
    return rows.filter(
      ({ destinationKey, round, nextAttemptAt }) =>
        nextAttemptAt !== null || newest.get(destinationKey) === round,
    );
  }

  byId(id: string): DeliveryRow | null {
    const place = this.#ids.find(id);
    if (!place) return null;
    return (place.isOpen ? this.#open : this.#settled).get(place) ?? null;
  }

  /** Null where the event is gone. */
  listed(row: DeliveryRow, now: number): ListedDelivery | null {
    const eventId = this.#eventId.get(row.endpointKey, row.eventSeq);
    if (eventId === undefined) return null;
    const delivery = deliveryOf(row, now);
    const last = this.#lastError.get(row.eventSeq, row.id) ?? null;
    const error = delivery.state === 'succeeded' ? null : listedError(row.errorCode, last);
    return { ...delivery, eventId, createdAt: createdAtOf(row.id), error };
  }
}

interface LastError {
  errorCode: AttemptErrorCode | null;
  errorMessage: string | null;
  responseCode: number | null;
}
