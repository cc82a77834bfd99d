import type { EventFilter } from '../contract/events.ts';

/** The filter of a replay job, as it is stored. Throws where that is damaged. */
export function filterOfJob(stored: string): EventFilter {
  const filter: unknown = JSON.parse(stored);
  if (typeof filter === 'object' && filter !== null) return filter;
  throw new Error('its filter is no object');
}
