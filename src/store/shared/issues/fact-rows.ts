import { isSuccess } from '../../../core/http/is-success.ts';
import type { AttemptFact, EventFact } from '../../contract/issues.ts';
import { fateOf } from '../endpoints/stored-endpoint.ts';

/** An attempt, as both stores read it for issues. */
export interface AttemptFactRow {
  seq: number;
  destination_key: number;
  endpoint_key: number;
  user_id: string;
  is_internal: boolean | number;
  event_id: string;
  is_edited: boolean | number;
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
    isEdited: Boolean(row.is_edited),
    at: row.attempted_at,
    code: codeOf(row.response_code, row.error_code),
    isDead: Boolean(row.is_dead),
    opensBreaker: Boolean(row.opens_breaker),
  };
}

/**
 * Returns the code of a failure, or null for a 2xx. A 2xx succeeds even if its body failed to
 * arrive.
 */
function codeOf(responseCode: number | null, errorCode: string | null): string | null {
  if (isSuccess(responseCode)) return null;
  return errorCode ?? (responseCode === null ? 'unknown' : `http_${responseCode}`);
}

/** An event, as both stores read it for issues. */
export interface EventFactRow extends Omit<EventFact, 'userId' | 'fate'> {
  /** Null if the endpoint is deleted. */
  userId: string | null;
  /** The endpoint's settings if they decide what happens to the event, otherwise null. */
  settings: string | null;
}

/** Returns the fact, or an empty array for an event of a deleted endpoint. */
export function eventFactsOf({ userId, settings, ...row }: EventFactRow): EventFact[] {
  if (userId === null) return [];
  return [{ ...row, userId, ...(settings !== null && { fate: fateOf(settings) }) }];
}
