import type { Attempt, AttemptErrorCode } from '../../../core/model.ts';
import { healthOfCode, triggerOf } from '../../shared/codes.ts';
import type { RowOf } from '../../shared/columns.ts';
import { SHOWN_ATTEMPT } from '../../shared/deliveries/attempt-columns.ts';
import { SHOWN_DESTINATION_ID } from '../destinations/destination-rows.ts';

/** Headers are JSON. */
export interface AttemptRow
  extends RowOf<typeof SHOWN_ATTEMPT>,
    Pick<Attempt, 'seq' | 'eventId' | 'endpointId' | 'destinationId' | 'destinationUrl'> {
  errorCode: AttemptErrorCode | null;
  responseBody: Buffer | null;
}

export const ATTEMPT_COLUMNS = `
  a.seq, e.id AS "eventId", p.id AS "endpointId", ${SHOWN_DESTINATION_ID} AS "destinationId",
  coalesce(a.destination_url, d.url) AS "destinationUrl", a.response_body AS "responseBody",
  ${SHOWN_ATTEMPT.read('a')}`;

export const ATTEMPT_TABLES = `
  FROM attempts a
  JOIN events e ON e.endpoint_key = a.endpoint_key AND e.seq = a.event_seq
  JOIN endpoints p ON p.key = a.endpoint_key
  JOIN destinations d ON d.key = a.destination_key`;

export function attemptOf({ errorCode, errorMessage, ...row }: AttemptRow): Attempt {
  return {
    ...row,
    trigger: triggerOf(row.trigger),
    responseHeaders: row.responseHeaders === null ? null : JSON.parse(row.responseHeaders),
    requestHeaders: row.requestHeaders === null ? null : JSON.parse(row.requestHeaders),
    health: row.health === null ? null : healthOfCode(row.health),
    responseBody: row.responseBody === null ? null : row.responseBody.toString('utf8'),
    error: errorCode === null ? null : { code: errorCode, message: errorMessage ?? '' },
  };
}
