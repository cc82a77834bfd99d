import { EVENT_STATUS, type EventStatus } from '../../../core/model.ts';
import { HOUR_MS } from '../../../core/text/duration.ts';
import type { EventActivity } from '../../contract/events.ts';

/**
 * The longest time from an attempt's start to its record, ms. An attempt is recorded after it ends.
 * This is twice the longest deadline, because a finished attempt may wait for its record.
 */
export const LONGEST_ATTEMPT_MS = 2 * HOUR_MS;
/**
 * At most this many attempts of the whole store are scanned, the newest ones. Older ones don't
 * count.
 */
export const MAX_ATTEMPTS_SCANNED = 500_000;

export function noEvents(hours: number): EventActivity {
  const totals = Object.fromEntries(EVENT_STATUS.names.map((status) => [status, 0]));
  return { totals: totals as Record<EventStatus, number>, received: Array(hours).fill(0) };
}
