import type { Attempt, AttemptErrorCode } from '../../../core/model.ts';
import { healthOfCode, triggerOf } from '../../shared/codes.ts';
import { SHOWN_ID } from './destination-rows.ts';

export interface AttemptRow
  extends Omit<
    Attempt,
    'trigger' | 'error' | 'responseBody' | 'responseHeaders' | 'requestHeaders' | 'health'
  > {
  trigger: number;
  errorCode: AttemptErrorCode | null;
  errorMessage: string | null;
  responseBody: Buffer | null;
  /** JSON. */
  responseHeaders: string | null;
  /** JSON. */
  requestHeaders: string | null;
  health: number | null;
}

export const ATTEMPT_COLUMNS = `
  a.seq, a.id, e.id AS "eventId", p.id AS "endpointId", a.delivery_id AS "deliveryId",
  ${SHOWN_ID} AS "destinationId", coalesce(a.destination_url, d.url) AS "destinationUrl",
  a.trigger, a.number,
  a.response_code AS "responseCode", a.response_headers AS "responseHeaders",
  a.response_body AS "responseBody",
  a.response_truncated AS "responseTruncated", a.duration_ms AS "durationMs",
  a.error_code AS "errorCode", a.error_message AS "errorMessage",
  a.attempted_at AS "attemptedAt", a.next_attempt_at AS "nextAttemptAt", a.probe,
  a.request_headers AS "requestHeaders", a.rule_version AS "ruleVersion", a.health`;

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
