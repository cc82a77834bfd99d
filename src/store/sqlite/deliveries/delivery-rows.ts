import type { Database, Statement } from 'better-sqlite3';
import type { ListedDelivery } from '../../../core/model.ts';
import { stateCode } from '../../shared/codes.ts';
import {
  type EndedDeliveryRow,
  type LastError,
  listedOf,
} from '../../shared/deliveries/listed-delivery.ts';
import { SHOWN_DESTINATION_ID } from '../../shared/destinations/claimed-destination.ts';
import { DeliveryIds, type DeliveryPlace } from './delivery-ids.ts';
import { ofSettled } from './settled-deliveries.ts';

export interface PlacedRow extends EndedDeliveryRow {
  endpointKey: number;
  eventSeq: number;
  round: number;
  destinationKey: number;
}

const OF_DESTINATION = `v.destination_key AS destinationKey, ${SHOWN_DESTINATION_ID} AS destinationId,
  d.url AS destinationUrl, d.settings, d.flow,
  (SELECT unjudged FROM events WHERE endpoint_key = v.endpoint_key AND seq = v.event_seq) AS unjudged`;

/** Columns of `open_deliveries v` and of its destination `d`. */
export const OPEN_COLUMNS = `v.endpoint_key AS endpointKey, v.event_seq AS eventSeq, v.round, v.id,
  v.trigger, ${stateCode('pending')} AS state, v.attempts, v.next_attempt_at AS nextAttemptAt,
  v.behind AS isBehind, v.unjudged AS isUnjudged, NULL AS endedBy, ${OF_DESTINATION}`;
/** The same columns of settled deliveries `v`. */
export const SETTLED_COLUMNS = `v.endpoint_key AS endpointKey, v.event_seq AS eventSeq, v.round,
  v.id, v.trigger, v.state, v.attempts, NULL AS nextAttemptAt, 0 AS isBehind, 0 AS isUnjudged,
  v.error_code AS endedBy, ${OF_DESTINATION}`;

/** Reads open and settled deliveries. */
export class DeliveryRows {
  readonly #ofEvent: Statement<[{ seq: number }], PlacedRow>;
  readonly #ids: DeliveryIds;
  readonly #open: Statement<[DeliveryPlace], PlacedRow>;
  readonly #settled: Statement<[DeliveryPlace], PlacedRow>;
  readonly #eventId: Statement<[number, number], string>;
  readonly #lastError: Statement<[number, number, string], LastError>;

  constructor(db: Database) {
    this.#ofEvent = db.prepare(`
      SELECT * FROM (
        SELECT ${OPEN_COLUMNS}
        FROM event_contents c
        CROSS JOIN endpoints p ON p.key = c.endpoint_key AND p.deleted_at IS NULL
        CROSS JOIN destinations d ON d.endpoint_key = c.endpoint_key
        CROSS JOIN open_deliveries v ON v.destination_key = d.key AND v.event_seq = c.seq
        WHERE c.seq = @seq
        UNION ALL
        ${ofSettled(
          (table) => `
            SELECT ${SETTLED_COLUMNS}
            FROM event_contents c
            CROSS JOIN endpoints p ON p.key = c.endpoint_key AND p.deleted_at IS NULL
            CROSS JOIN events e ON e.endpoint_key = c.endpoint_key AND e.seq = c.seq
            CROSS JOIN ${table} v
              ON v.endpoint_key = c.endpoint_key AND v.event_seq = c.seq
                AND v.round >= coalesce(e.counted_from, e.round)
            CROSS JOIN destinations d ON d.key = v.destination_key
            WHERE c.seq = @seq`,
        )})
      ORDER BY round, destinationKey`);
    this.#ids = new DeliveryIds(db);
    const at = (columns: string, table: string) => `
      SELECT ${columns} FROM ${table} v JOIN destinations d ON d.key = v.destination_key
      WHERE v.endpoint_key = @endpointKey AND v.destination_key = @destinationKey
        AND v.event_seq = @eventSeq AND v.round = @round`;
    this.#open = db.prepare(at(OPEN_COLUMNS, 'open_deliveries'));
    this.#settled = db.prepare(ofSettled((table) => at(SETTLED_COLUMNS, table)));
    this.#eventId = db
      .prepare<[number, number], string>('SELECT id FROM events WHERE endpoint_key = ? AND seq = ?')
      .pluck();
    this.#lastError = db.prepare(`
      SELECT error_code AS errorCode, error_message AS errorMessage, response_code AS responseCode
      FROM attempts
      WHERE endpoint_key = ? AND event_seq = ? AND delivery_id = ?
      ORDER BY attempts.id DESC LIMIT 1`);
  }

  /** See `EventStore.deliveries`. */
  ofEvent(seq: number): PlacedRow[] {
    const rows = this.#ofEvent.all({ seq });
    const newest = new Map(rows.map(({ destinationKey, round }) => [destinationKey, round]));
    return rows.filter(
      ({ destinationKey, round, nextAttemptAt }) =>
        nextAttemptAt !== null || newest.get(destinationKey) === round,
    );
  }

  byId(id: string): PlacedRow | null {
    const place = this.#ids.find(id);
    if (!place) return null;
    return (place.isOpen ? this.#open : this.#settled).get(place) ?? null;
  }

  /** Returns null if the event is gone. */
  listed(row: PlacedRow, now: number): ListedDelivery | null {
    const eventId = this.#eventId.get(row.endpointKey, row.eventSeq);
    if (eventId === undefined) return null;
    const hasError = row.state !== stateCode('succeeded');
    const last = hasError ? this.#lastError.get(row.endpointKey, row.eventSeq, row.id) : undefined;
    return listedOf(row, eventId, last ?? null, now);
  }
}
