import { EVENT_STATUSES, type EventStatus } from '../../core/model.ts';
import type { EventActivity } from '../contract/events.ts';

export const HOUR_MS = 3_600_000;
/** Attempts are recorded when they end: twice the longest deadline, for what waits to be. */
export const LONGEST_ATTEMPT_MS = 2 * HOUR_MS;
/** Of the whole store; further back figures are left out rather than waited for. */
export const MAX_ATTEMPTS_SCANNED = 500_000;

/** What is then added to. */
export function noEvents(hours: number): EventActivity {
  const totals = Object.fromEntries(EVENT_STATUSES.map((status) => [status, 0]));
  return { totals: totals as Record<EventStatus, number>, received: Array(hours).fill(0) };
}
