import { isSuccess } from '../../../core/http/is-success.ts';
import type { AttemptFact, EventFact } from '../../contract/issues.ts';
import { fateOf } from '../endpoints/stored-endpoint.ts';

/** An attempt as both backends read it for issues. */
export interface AttemptFactRow {
  seq: number;
  destination_key: number;
  endpoint_key: number;
  user_id: string;
  is_internal: boolean | number;
  event_id: string;
  attempted_at: number;
  response_code: number | null;
  error_code: string | null;
  is_dead: boolean | number;
  opens_breaker: boolean | number;
}

export function attemptFactOf(row: AttemptFactRow): AttemptFact {
  return {
    seq: row.seq,
    destinationKey: row.destination_key,
    endpointKey: row.endpoint_key,
    userId: row.user_id,
    isInternal: Boolean(row.is_internal),
    eventId: row.event_id,
    at: row.attempted_at,
    code: codeOf(row.response_code, row.error_code),
    isDead: Boolean(row.is_dead),
    opensBreaker: Boolean(row.opens_breaker),
  };
}

/** Null for a success. A 2xx is one even if the rest of the response failed. */
function codeOf(responseCode: number | null, errorCode: string | null): string | null {
  if (isSuccess(responseCode)) return null;
  return errorCode ?? (responseCode === null ? 'unknown' : `http_${responseCode}`);
}

/** An event as both backends read it for issues. */
export interface EventFactRow extends Omit<EventFact, 'userId' | 'fate'> {
  /** Null where the endpoint is deleted. */
  userId: string | null;
  /** The endpoint's, where they decide the fate of the event. */
  settings: string | null;
}

/** Empty for an event of a deleted endpoint. */
export function eventFactsOf({ userId, settings, ...row }: EventFactRow): EventFact[] {
  if (userId === null) return [];
  return [{ ...row, userId, ...(settings !== null && { fate: fateOf(settings) }) }];
}
