import type { TooCostlyEvent } from '../judging/too-costly-event.ts';
import type { NewestMatches, Place } from './newest-matches.ts';

/** The largest number of matches that an unfinished search returns. */
export const MOST_OF_STOPPED = 1000;

/** One of the searches that together find a filter's events, from the newest down. */
export interface SearchLane {
  /** The lane has found every match at this sequence number or above. */
  reached: number;
  isDone: boolean;
  /** The event at `reached`, if the lane ended there because it can't judge the event. */
  tooCostly: TooCostlyEvent | null;
}

/** Where a search stopped before its end. */
export interface Stop {
  /** The search has found every match at this sequence number or above. */
  before: number;
  /** The id of the event at `before`, if the search can't judge it. Null if the time was over. */
  tooCostly: string | null;
}

/**
 * Runs several searches from the newest event down. The search that is furthest behind runs next,
 * so that all are complete down to the oldest possible event. A search ends at an event that it
 * can't judge. The other searches then continue down to that event.
 */
export class Descent<L extends SearchLane> {
  readonly #lanes: readonly L[];
  readonly #isOver: () => boolean;
  readonly #start: number;

  /** @param isOver returns whether the time is over. The search always makes some progress first */
  constructor(lanes: readonly L[], isOver: () => boolean) {
    this.#lanes = lanes;
    this.#isOver = isOver;
    this.#start = this.#position;
  }

  /** Returns the search that runs next, or null at the end. */
  next(): L | null {
    if (this.#position < this.#start && this.#isOver()) return null;
    let next: L | null = null;
    let floor = 0;
    for (const lane of this.#lanes) {
      if (lane.tooCostly) floor = Math.max(floor, lane.reached);
      else if (!lane.isDone && lane.reached > (next?.reached ?? 0)) next = lane;
    }
    return next && next.reached > floor ? next : null;
  }

  /** Returns the matches of all searches, newest first, and where the searches stopped. */
  result(found: NewestMatches): { places: Place[]; stop: Stop | null } {
    if (this.#lanes.every(({ isDone, tooCostly }) => isDone && !tooCostly)) {
      return { places: found.newest(Infinity), stop: null };
    }
    const position = this.#position;
    const all = found.newest(Infinity).filter(({ seq }) => seq >= position);
    const last = all[MOST_OF_STOPPED - 1];
    if (last && all.length > MOST_OF_STOPPED) {
      const places = all.slice(0, MOST_OF_STOPPED);
      return { places, stop: { before: last.seq, tooCostly: null } };
    }
    const costly = this.#lanes.find(({ tooCostly }) => tooCostly?.seq === position);
    return {
      places: all,
      stop: { before: position, tooCostly: costly?.tooCostly?.eventId ?? null },
    };
  }

  get #position(): number {
    return this.#lanes.reduce((most, { reached }) => Math.max(most, reached), 0);
  }
}
