import type { ListedDelivery } from '../../../core/model.ts';
import { stateCode } from '../../shared/codes.ts';
import {
  type EndedDeliveryRow,
  type LastError,
  listedOf,
} from '../../shared/deliveries/listed-delivery.ts';
import { SHOWN_DESTINATION_ID } from '../../shared/destinations/claimed-destination.ts';

/**
 * The open deliveries of an event `e`, of all rounds, for a lateral subquery. It looks up each
 * destination of the endpoint in the primary key. An index by event would make every delivery more
 * expensive.
 */
export const OPEN_OF_EVENT = `(
  SELECT w.* FROM destinations t
  CROSS JOIN LATERAL (
    SELECT * FROM open_deliveries
    WHERE destination_key = t.key AND event_seq = e.seq OFFSET 0) w
  WHERE t.endpoint_key = e.endpoint_key) open_of_event`;

/** A delivery in a list. */
export interface ListedRow extends EndedDeliveryRow, LastError {
  endpointKey: number;
  eventSeq: number;
  eventId: string;
  /**
   * Whether the delivery has a recorded attempt. Without one, the members of `LastError` are null.
   */
  hasAttempt: boolean | null;
}

/** The columns of an open delivery `v`, in the same order as `SETTLED_COLUMNS`. */
export const OPEN_COLUMNS = `v.endpoint_key, v.event_seq, v.round, v.destination_key, v.id,
  v.trigger, ${stateCode('pending')}::smallint AS state, v.attempts, v.next_attempt_at,
  v.behind, v.unjudged AS is_unjudged, NULL::text AS error_code`;
export const SETTLED_COLUMNS = `v.endpoint_key, v.event_seq, v.round, v.destination_key, v.id,
  v.trigger, v.state, v.attempts, NULL::bigint AS next_attempt_at,
  false AS behind, false AS is_unjudged, v.error_code`;

/**
 * The columns of a `DeliveryRow`, from the columns above (`v`), destinations `d` and events `e`.
 */
export const DELIVERY_COLUMNS = `v.id, ${SHOWN_DESTINATION_ID} AS "destinationId",
  d.url AS "destinationUrl", v.trigger, v.state, v.attempts, v.next_attempt_at AS "nextAttemptAt", v.behind AS "isBehind",
  v.is_unjudged AS "isUnjudged", e.unjudged, d.settings, d.flow`;

/** SQL around a subquery of deliveries. It reads `ListedRow`s. */
export const LISTED = [
  `SELECT ${DELIVERY_COLUMNS}, v.endpoint_key AS "endpointKey", v.event_seq AS "eventSeq",
     e.id AS "eventId", v.error_code AS "endedBy", a.found AS "hasAttempt",
     a.error_code AS "errorCode", a.error_message AS "errorMessage",
     a.response_code AS "responseCode"
   FROM (`,
  `) v
   JOIN destinations d ON d.key = v.destination_key
   JOIN events e ON e.endpoint_key = v.endpoint_key AND e.seq = v.event_seq
   LEFT JOIN LATERAL (
     SELECT true AS found, error_code, error_message, response_code FROM attempts
     WHERE event_seq = v.event_seq AND delivery_id = v.id ORDER BY id DESC LIMIT 1) a ON true`,
] as const;

export function listedRowOf(row: ListedRow, now: number): ListedDelivery {
  return listedOf(row, row.eventId, row.hasAttempt ? row : null, now);
}
