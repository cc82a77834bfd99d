import type { Database } from 'better-sqlite3';
import type { EventFilter, EventPage, ListWindow } from '../../contract/events.ts';
import type { Scope } from '../../contract/scope.ts';
import { mergedMatching } from '../../shared/replays/merged-matching.ts';
import type { Matching, UpwardRange } from '../../shared/replays/replay-slice.ts';
import { MOST_OF_STOPPED } from '../../shared/search/descent.ts';
import type { Place } from '../../shared/search/newest-matches.ts';
import { type RowFilter, searchesOf } from '../../shared/search/searches.ts';
import { endpointsOf } from '../endpoints/scope.ts';
import { countEvents, matchingSeqs, pageOfEvents, summariesOf } from '../events/event-query.ts';
import { withTypes } from '../judging/body-types.ts';
import { findEvents, reachOf } from './find-events.ts';
import { type Candidates, candidatesFor, type Index } from './search-downwards.ts';
import { searchUpwards } from './search-upwards.ts';

/** The number of sequence numbers that one query of a merge reads. */
const MERGED_ROWS = 200;
/** How many events are merged between two yields. */
const MERGED_SLICE = 2000;

/** Returns a page of a scope's matches, and their exact number (see `EventStore.list`). */
export function* listEvents(
  db: Database,
  index: Index,
  scope: Scope,
  filter: EventFilter,
  window: ListWindow,
): Generator<void, EventPage> {
  const page = yield* pageOf(db, index, endpointsOf(db, scope), filter, window);
  if (!window.typesInBodies) return page;
  return { ...page, events: yield* withTypes(db, page.events) };
}

function* pageOf(
  db: Database,
  index: Index,
  keys: readonly number[],
  filter: EventFilter,
  window: ListWindow,
): Generator<void, EventPage> {
  const { q, type, where, ...rows } = filter;
  const [key] = keys;
  if (key === undefined) return { events: [], total: 0 };
  if (q !== undefined || type !== undefined || where !== undefined) {
    const most = window.offset + window.limit;
    const terms = { keep: Math.max(most, MOST_OF_STOPPED + 1), forMs: window.forMs };
    const { places, total, stop } = yield* findEvents(db, index, keys, filter, terms);
    if (stop) {
      const stopped = { ...stop, ...(yield* reachOf(db, keys, filter, stop)) };
      return { events: summariesOf(db, places), total: places.length, stopped };
    }
    return { events: summariesOf(db, places.slice(window.offset, most)), total };
  }
  if (keys.length > 1) return yield* mergedPage(db, keys, rows, window);
  return pageOfEvents(db, key, rows, window);
}

/**
 * Returns an endpoint's matching events in a range, the oldest first. Queries the index before its
 * first yield.
 */
export function* findUpwards(
  db: Database,
  index: Index,
  endpointKey: number,
  filter: EventFilter,
  range: UpwardRange,
): Generator<void, Matching> {
  const searches = searchesOf(filter).map((one): [typeof one, Candidates] => [
    one,
    candidatesFor(db, one, index),
  ]);
  const found: Matching[] = [];
  for (const [one, candidates] of searches) {
    const overAt = performance.now() + range.forMs;
    const isOver = () => performance.now() >= overAt;
    found.push(
      yield* searchUpwards(db, { ...range, endpointKey, search: one, isOver }, candidates),
    );
  }
  return mergedMatching(found, range.limit);
}

/** Returns a page of the events of several endpoints, merged by sequence number. */
function* mergedPage(
  db: Database,
  keys: readonly number[],
  rows: RowFilter,
  window: ListWindow,
): Generator<void, EventPage> {
  let total = 0;
  for (const key of keys) {
    total += countEvents(db, key, rows);
    yield;
  }
  const places: Place[] = [];
  if (window.offset >= total) return { events: [], total };
  let i = 0;
  for (const place of newestFirst(db, keys, rows)) {
    if (i >= window.offset) places.push(place);
    i++;
    if (places.length === window.limit) break;
    if (i % MERGED_SLICE === 0) yield;
  }
  return { events: summariesOf(db, places), total };
}

/** Merges the events of endpoints, the newest first. SQLite would sort all events for each page. */
function* newestFirst(
  db: Database,
  keys: readonly number[],
  rows: RowFilter,
): Generator<Place, void> {
  const heads: { key: number; seqs: number[] }[] = [];
  const add = (key: number, upTo: number) => {
    const seqs = matchingSeqs(db, key, rows, upTo, MERGED_ROWS).reverse();
    if (seqs.length > 0) insert({ key, seqs });
  };
  // The heads are sorted. The head with the newest event is last.
  const insert = (head: { key: number; seqs: number[] }) => {
    const seq = head.seqs.at(-1) as number;
    const at = heads.findLastIndex((other) => (other.seqs.at(-1) as number) < seq);
    heads.splice(at + 1, 0, head);
  };
  for (const key of keys) add(key, Number.MAX_SAFE_INTEGER);
  for (let head = heads.pop(); head; head = heads.pop()) {
    const seq = head.seqs.pop() as number;
    yield { key: head.key, seq };
    if (head.seqs.length > 0) insert(head);
    else add(head.key, seq - 1);
  }
}
