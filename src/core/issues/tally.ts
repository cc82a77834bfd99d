import { ISSUE_EVENTS, type Issue } from './issue.ts';

/** The number, times and events of a cause's sightings. */
export type Tally = Pick<Issue, 'count' | 'firstAt' | 'lastAt' | 'eventIds'>;

export const NOTHING_SEEN: Tally = { count: 0, firstAt: 0, lastAt: 0, eventIds: [] };

export interface Sighting {
  at: number;
  /** Null if no event shows the cause. */
  eventId: string | null;
}

/** Returns a tally with one more sighting. Lists each of the newest events once, newest first. */
export function withSighting(
  { count, firstAt, lastAt, eventIds }: Tally,
  { at, eventId }: Sighting,
): Tally {
  const others = eventIds.filter((id) => id !== eventId);
  return {
    count: count + 1,
    firstAt: count === 0 ? at : Math.min(firstAt, at),
    lastAt: count === 0 ? at : Math.max(lastAt, at),
    eventIds: eventId === null ? eventIds : [eventId, ...others].slice(0, ISSUE_EVENTS),
  };
}
