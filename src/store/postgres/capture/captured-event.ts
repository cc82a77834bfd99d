import type { CapturedRequest } from '../../../core/http/captured-request.ts';
import { capturedEvent, type FirstEvent } from '../../shared/capture/captured-event.ts';
import { statusCode, unjudgedCode } from '../../shared/codes.ts';
import type { RowOf } from '../../shared/columns.ts';
import { NEW_EVENT } from '../../shared/events/event-columns.ts';
import { proofColumns } from '../../shared/events/stored-proof.ts';
import { BODY_OF_ROW, BODY_PART, type BodyColumn } from '../connection/body-column.ts';
import { storable } from '../connection/storable.ts';
import { deliveryArrays, insertDeliveries, type NewDelivery } from '../queue/rounds.ts';

/** The columns of an event and its content. */
const CAPTURED = NEW_EVENT.and({ query: 'text', headers: 'text', ...BODY_PART });
export type CapturedRow = RowOf<typeof CAPTURED>;

/** Inserts events, contents and deliveries. $1 is the value of a `BodyColumn`. */
export const INSERT_BATCH = `
  WITH captured AS (
    SELECT * FROM ${CAPTURED.unnest('v', 2)}
  ), contents AS (
    INSERT INTO event_contents (seq, endpoint_key, query, headers, body)
    SELECT v.seq, v.endpoint_key, v.query, v.headers, ${BODY_OF_ROW} FROM captured v
  ), events AS (
    INSERT INTO events (${NEW_EVENT.names}, status, round)
    SELECT ${NEW_EVENT.names}, ${statusCode('received')}, 1 FROM captured
  )
  ${insertDeliveries(2 + CAPTURED.count)}`;

/** Returns the parameters of `INSERT_BATCH`. */
export function batchValues(
  bodies: BodyColumn,
  events: readonly CapturedRow[],
  deliveries: readonly NewDelivery[],
): unknown[] {
  return [bodies.value(), ...CAPTURED.arrays(events), ...deliveryArrays(deliveries)];
}

export interface NewEvent {
  request: CapturedRequest;
  endpoint: { id: string; key: number };
  seq: number;
  /** The number of the event's deliveries. */
  open: number;
  /** The first event with the same idempotency key, or null if this event is the first. */
  first: FirstEvent | null;
}

type CapturedEvent = ReturnType<typeof capturedEvent>;

/** Returns the event and its row. Adds the body to `bodies`. */
export function storedCapture(
  { request, endpoint, seq, open, first }: NewEvent,
  bodies: BodyColumn,
): { event: CapturedEvent; row: CapturedRow } {
  const plain = capturedEvent(request, seq, endpoint.id, first);
  const event = {
    ...plain,
    method: storable(plain.method),
    path: storable(plain.path),
    contentType: storable(plain.contentType),
    provider: storable(plain.provider),
    eventType: storable(plain.eventType),
  };
  const row = {
    ...event,
    ...proofColumns(request.verdict?.verification ?? null),
    ...bodies.add(request.body.bytes),
    endpointKey: endpoint.key,
    open,
    duplicateConflict: first?.isConflicting ?? null,
    unjudged: unjudgedCode(event.unjudged),
    query: storable(request.query),
    headers: JSON.stringify(request.rawHeaders),
  };
  return { event, row };
}
