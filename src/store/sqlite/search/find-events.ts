import type { Database } from 'better-sqlite3';
import type { EventFilter, SearchStop } from '../../contract/events.ts';
import { TooCostlyEvent } from '../../shared/judging/too-costly-event.ts';
import { Descent, type SearchLane, type Stop } from '../../shared/search/descent.ts';
import { NewestMatches, type Place } from '../../shared/search/newest-matches.ts';
import { type Search, searchesOf } from '../../shared/search/searches.ts';
import { lastSequences } from '../live/live-query.ts';
import { type Candidates, candidatesFor, type Index, searchDownwards } from './search-downwards.ts';

/** How many endpoints' searches are prepared between two yields. */
const LANES_AT_ONCE = 100;

interface FoundEvents {
  /** The newest matches, the newest first. */
  places: Place[];
  total: number;
  stop: Stop | null;
}

interface SearchTerms {
  /** The number of newest matches to return. */
  keep: number;
  forMs?: number | undefined;
}

/**
 * Searches several endpoints in turns, each from its newest event down. Queries the index before
 * its first yield.
 */
export function* findEvents(
  db: Database,
  index: Index,
  keys: readonly number[],
  filter: EventFilter,
  { keep, forMs = Infinity }: SearchTerms,
): Generator<void, FoundEvents> {
  const upTo = newestOf(db, filter);
  const overAt = performance.now() + forMs;
  // This must come before the first yield, because the transaction may end at a yield.
  const searches = searchesOf(filter).map((one): [Search, Candidates] => [
    one,
    candidatesFor(db, one, index),
  ]);
  const found = new NewestMatches(keep);
  const newest = db
    .prepare<unknown[], number | null>(
      'SELECT max(seq) FROM events WHERE endpoint_key = ? AND seq <= ?',
    )
    .pluck();
  const lanes: (SearchLane & { steps: Generator<number, number> })[] = [];
  for (const key of keys) {
    const last = newest.get(key, upTo) ?? null;
    if (last === null) continue;
    for (const [one, candidates] of searches) {
      const request = { endpointKey: key, search: one, upTo, keep };
      const steps = searchDownwards(db, request, candidates, found);
      lanes.push({ steps, reached: last + 1, isDone: false, tooCostly: null });
    }
    if (lanes.length % LANES_AT_ONCE === 0) yield;
  }
  const descent = new Descent(lanes, () => performance.now() >= overAt);
  for (let lane = descent.next(); lane; lane = descent.next()) {
    advance(lane);
    yield;
  }
  return { ...descent.result(found), total: found.total };
}

/** Returns the number of an endpoint's matching events. Throws `TooCostlyEvent`. */
export function* countFound(
  db: Database,
  index: Index,
  endpointKey: number,
  filter: EventFilter,
): Generator<void, number> {
  const { total, stop } = yield* findEvents(db, index, [endpointKey], filter, { keep: 0 });
  if (stop?.tooCostly) throw new TooCostlyEvent({ seq: stop.before, id: stop.tooCostly });
  return total;
}

function advance(lane: SearchLane & { steps: Generator<number, number> }): void {
  try {
    const { done = false, value } = lane.steps.next();
    lane.reached = Math.min(lane.reached, value);
    lane.isDone = done;
  } catch (error) {
    if (!(error instanceof TooCostlyEvent)) throw error;
    lane.reached = error.seq;
    lane.tooCostly = error;
  }
}

const newestOf = (db: Database, { before = Infinity }: EventFilter): number =>
  Math.min(lastSequences(db).eventSeq, before - 1);

/** Returns how many events a stopped search judged, and when the oldest was received. */
export function* reachOf(
  db: Database,
  keys: readonly number[],
  filter: EventFilter,
  { before }: Stop,
): Generator<void, Pick<SearchStop, 'lookedAt' | 'until'>> {
  const upTo = newestOf(db, filter);
  const counted = db
    .prepare<unknown[], number>(
      'SELECT count(*) FROM events WHERE endpoint_key = ? AND seq BETWEEN ? AND ?',
    )
    .pluck();
  const oldest = db.prepare<unknown[], { seq: number; at: number }>(`
    SELECT seq, received_at AS at FROM events WHERE endpoint_key = ? AND seq BETWEEN ? AND ?
    ORDER BY seq LIMIT 1`);
  let lookedAt = 0;
  let last: { seq: number; at: number } | null = null;
  for (const key of keys) {
    lookedAt += counted.get(key, before, upTo) ?? 0;
    const first = oldest.get(key, before, upTo);
    if (first && first.seq < (last?.seq ?? Infinity)) last = first;
    yield;
  }
  return { lookedAt, until: last?.at ?? null };
}
