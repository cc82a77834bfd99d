import type { Attempt, AttemptErrorCode, HeaderPair } from '../../../core/model.ts';
import { healthOfCode, triggerOf } from '../codes.ts';
import type { BitRowOf, RowOf } from '../columns.ts';
import { SHOWN_DESTINATION_ID } from '../destinations/claimed-destination.ts';
import { SHOWN_ATTEMPT } from './attempt-columns.ts';

/** Columns of attempts `a`, events `e`, endpoints `p` and destinations `d` for an `AttemptRow`. */
export const ATTEMPT_COLUMNS = `
  a.seq, e.id AS "eventId", p.id AS "endpointId", ${SHOWN_DESTINATION_ID} AS "destinationId",
  coalesce(a.destination_url, d.url) AS "destinationUrl", a.response_body AS "responseBody",
  ${SHOWN_ATTEMPT.read('a')}`;

type ShownAttemptRow = RowOf<typeof SHOWN_ATTEMPT> | BitRowOf<typeof SHOWN_ATTEMPT>;

/** An attempt as both stores read it. Headers are JSON. */
export type AttemptRow = Omit<ShownAttemptRow, 'errorCode' | 'requestHeaders'> &
  Pick<Attempt, 'seq' | 'eventId' | 'endpointId' | 'destinationId' | 'destinationUrl'> & {
    errorCode: AttemptErrorCode | null;
    /** PostgreSQL stores JSON. SQLite stores less, and completes it. */
    requestHeaders: HeaderPair[] | string | null;
    /** SQLite stores text, PostgreSQL bytes. */
    responseBody: string | Buffer | null;
  };

export function attemptOf({ errorCode, errorMessage, ...row }: AttemptRow): Attempt {
  return {
    ...row,
    trigger: triggerOf(row.trigger),
    responseTruncated: Boolean(row.responseTruncated),
    responseHeaders: row.responseHeaders === null ? null : JSON.parse(row.responseHeaders),
    requestHeaders:
      typeof row.requestHeaders === 'string' ? JSON.parse(row.requestHeaders) : row.requestHeaders,
    probe: Boolean(row.probe),
    health: row.health === null ? null : healthOfCode(row.health),
    responseBody: row.responseBody === null ? null : row.responseBody.toString(),
    error: errorCode === null ? null : { code: errorCode, message: errorMessage ?? '' },
  };
}
