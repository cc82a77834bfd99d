import { ISSUE_EVENTS, type Issue } from './issue.ts';

/** How often, when and in which events a cause was seen. */
export type Tally = Pick<Issue, 'count' | 'firstAt' | 'lastAt' | 'eventIds'>;

export const NOTHING_SEEN: Tally = { count: 0, firstAt: 0, lastAt: 0, eventIds: [] };

export interface Sighting {
  at: number;
  /** Null where no event shows the cause. */
  eventId: string | null;
}

/** A tally with one more sighting. Its events are the newest, newest first, each once. */
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
