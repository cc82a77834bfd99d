import { EVENT_STATUS, type EventStatus } from '../../../core/model.ts';
import type { EventActivity } from '../../contract/events.ts';

export const HOUR_MS = 3_600_000;
/**
 * Longest time from an attempt's start to its record. Attempts are recorded when they
 * end: this is twice the longest deadline, for attempts that wait to be recorded.
 */
export const LONGEST_ATTEMPT_MS = 2 * HOUR_MS;
/** Most attempts of the whole store that are read. Figures leave out older attempts. */
export const MAX_ATTEMPTS_SCANNED = 500_000;

/** Zero counts, to which the caller adds. */
export function noEvents(hours: number): EventActivity {
  const totals = Object.fromEntries(EVENT_STATUS.names.map((status) => [status, 0]));
  return { totals: totals as Record<EventStatus, number>, received: Array(hours).fill(0) };
}
