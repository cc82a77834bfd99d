import { EVENT_STATUS, type EventStatus } from '../../../core/model.ts';
import type { EventActivity } from '../../contract/events.ts';

export const HOUR_MS = 3_600_000;
/**
 * Longest time from an attempt's start to its record, ms. Attempts are recorded after they
 * end. This is twice the longest deadline, because an attempt may wait for its record.
 */
export const LONGEST_ATTEMPT_MS = 2 * HOUR_MS;
/** Newest attempts of the whole store that a read scans. Figures leave out older ones. */
export const MAX_ATTEMPTS_SCANNED = 500_000;

/** Zero counts, for the caller to fill. */
export function noEvents(hours: number): EventActivity {
  const totals = Object.fromEntries(EVENT_STATUS.names.map((status) => [status, 0]));
  return { totals: totals as Record<EventStatus, number>, received: Array(hours).fill(0) };
}
