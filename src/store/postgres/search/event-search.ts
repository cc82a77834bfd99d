import type {
  EventFilter,
  EventPage,
  ListWindow,
  RuleTrialInput,
  SearchStop,
  TriedEvent,
} from '../../contract/events.ts';
import type { Scope } from '../../contract/scope.ts';
import { TooCostlyEvent } from '../../shared/judging/too-costly-event.ts';
import { mergedMatching } from '../../shared/replays/merged-matching.ts';
import type { Matching, UpwardRange } from '../../shared/replays/replay-slice.ts';
import {
  Descent,
  MOST_OF_STOPPED,
  type SearchLane,
  type Stop,
} from '../../shared/search/descent.ts';
import { NewestMatches, type Place } from '../../shared/search/newest-matches.ts';
import { type Search, searchesOf } from '../../shared/search/searches.ts';
import type { Database, Sql } from '../connection/database.ts';
import { endpointsOf } from '../endpoints/scope.ts';
import {
  countEvents,
  matchingPlaces,
  matchingUpwards,
  pageOfEvents,
  summariesOf,
} from '../events/event-query.ts';
import { batchesOf } from '../judging/contents.ts';
import type { EventJudge } from '../judging/event-judge.ts';
import { tryRules, withTypes } from '../judging/judged-events.ts';
import { candidatesOf, type OnIncomplete } from './candidates.ts';

interface Request {
  keys: readonly number[];
  filter: EventFilter;
  /** The number of newest matches to return. */
  keep: number;
  /** The time after which the search stops, ms. */
  forMs?: number | undefined;
  signal: AbortSignal | undefined;
}

interface Matches {
  places: Place[];
  total: number;
  stop: Stop | null;
  /** The newest sequence number in the search. */
  upTo: number;
}

interface SteppedLane extends SearchLane {
  /**
   * Yields and returns the sequence number down to which all matches are found. Null for a finished
   * lane.
   */
  steps: AsyncGenerator<number, number> | null;
}

/** Lists, counts and searches events. Each call reads its own snapshot. */
export class EventSearch {
  readonly #db: Database;
  readonly #judge: EventJudge;
  readonly #onIncomplete: OnIncomplete;

  constructor(db: Database, judge: EventJudge, onIncomplete: OnIncomplete) {
    this.#db = db;
    this.#judge = judge;
    this.#onIncomplete = onIncomplete;
  }

  page(
    scope: Scope,
    filter: EventFilter,
    window: ListWindow,
    signal?: AbortSignal,
  ): Promise<EventPage> {
    return this.#db.snapshot(async (sql) => {
      const keys = await endpointsOf(sql, scope);
      if (keys.length === 0) return { events: [], total: 0 };
      const page = await this.#page(sql, keys, filter, window, signal);
      if (!window.typesInBodies) return page;
      return { ...page, events: await withTypes(sql, this.#judge, page.events) };
    }, signal);
  }

  async #page(
    sql: Sql,
    keys: readonly number[],
    filter: EventFilter,
    window: ListWindow,
    signal: AbortSignal | undefined,
  ): Promise<EventPage> {
    const { q, type, where, ...rows } = filter;
    if (q === undefined && type === undefined && where === undefined) {
      return pageOfEvents(sql, keys, rows, window);
    }
    const most = window.offset + window.limit;
    const keep = Math.max(most, MOST_OF_STOPPED + 1);
    const request = { keys, filter, keep, forMs: window.forMs, signal };
    const { places, total, stop, upTo } = await this.#find(sql, request);
    if (stop) {
      const stopped = { ...stop, ...(await reachOf(sql, keys, { before: stop.before, upTo })) };
      return { events: await summariesOf(sql, places), total: places.length, stopped };
    }
    return { events: await summariesOf(sql, places.slice(window.offset, most)), total };
  }

  tryRules(
    endpointKey: number,
    trial: RuleTrialInput,
    signal?: AbortSignal,
  ): Promise<TriedEvent[]> {
    return this.#db.snapshot(async (sql) => {
      const keys = await endpointsOf(sql, { endpointKeys: [endpointKey] });
      return keys.length === 0 ? [] : tryRules(sql, this.#judge, endpointKey, trial, signal);
    }, signal);
  }

  /** Returns the number of matches. Throws `TooCostlyEvent`. */
  count(endpointKey: number, filter: EventFilter, signal?: AbortSignal): Promise<number> {
    return this.#db.snapshot(async (sql) => {
      const keys = await endpointsOf(sql, { endpointKeys: [endpointKey] });
      if (keys.length === 0) return 0;
      const { total, stop } = await this.#find(sql, { keys, filter, keep: 0, signal });
      if (stop?.tooCostly) throw new TooCostlyEvent({ seq: stop.before, id: stop.tooCostly });
      return total;
    }, signal);
  }

  /** Returns the matching events of a range, oldest first. */
  matching(endpointKey: number, filter: EventFilter, range: UpwardRange): Promise<Matching> {
    return this.#db.snapshot(async (sql) => {
      const keys = await endpointsOf(sql, { endpointKeys: [endpointKey] });
      if (keys.length === 0) return { seqs: [], resumeAfter: null };
      const found: Matching[] = [];
      for (const search of searchesOf(filter)) {
        found.push(
          isOfRows(search)
            ? await rowsUpwards(sql, endpointKey, search, range)
            : await this.#lookUpwards(sql, endpointKey, search, range),
        );
      }
      return mergedMatching(found, range.limit);
    });
  }

  /** Returns the newest matches, newest first, and the number of all matches. */
  async #find(
    sql: Sql,
    { keys, filter, keep, forMs = Infinity, signal }: Request,
  ): Promise<Matches> {
    const overAt = performance.now() + forMs;
    const found = new NewestMatches(keep);
    const upTo = filter.before === undefined ? await newest(sql) : filter.before - 1;
    const lanes: SteppedLane[] = [];
    for (const search of searchesOf(filter)) {
      const isDone = isOfRows(search);
      lanes.push({
        reached: isDone ? await findRows(sql, keys, search, keep, found) : upTo + 1,
        steps: isDone ? null : this.#look(sql, keys, search, upTo, found, signal),
        isDone,
        tooCostly: null,
      });
    }
    const descent = new Descent(lanes, () => performance.now() >= overAt);
    try {
      for (let lane = descent.next(); lane; lane = descent.next()) await advance(lane);
    } finally {
      // End the lanes, because nothing may use the connection after the transaction.
      for (const { steps } of lanes) await steps?.return(0);
    }
    return { ...descent.result(found), total: found.total, upTo };
  }

  /** Tests the contents of candidates, newest first. Throws `TooCostlyEvent`. */
  async *#look(
    sql: Sql,
    keys: readonly number[],
    search: Search,
    upTo: number,
    found: NewestMatches,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<number, number> {
    const walk = { after: 0, upTo, isUpwards: false };
    const candidates = candidatesOf(sql, keys, search, walk, this.#onIncomplete);
    for await (const { events, rows } of batchesOf(sql, candidates)) {
      const { matching, tooCostly } = await this.#judge.matching(search.q, search.content, rows);
      signal?.throwIfAborted();
      const after = tooCostly?.seq ?? 0;
      found.add(events.filter(({ seq, matches }) => seq > after && (matches || matching.has(seq))));
      if (tooCostly) throw tooCostly;
      yield events.at(-1)?.seq ?? upTo + 1;
    }
    return 0;
  }

  /** Tests the contents of candidates, oldest first. */
  async #lookUpwards(
    sql: Sql,
    endpointKey: number,
    search: Search,
    { after, upTo, limit, forMs }: UpwardRange,
  ): Promise<Matching> {
    const overAt = performance.now() + forMs;
    const seqs: number[] = [];
    const walk = { after, upTo, isUpwards: true };
    const candidates = candidatesOf(sql, [endpointKey], search, walk, this.#onIncomplete);
    for await (const { events, rows } of batchesOf(sql, candidates)) {
      const { matching, tooCostly } = await this.#judge.matching(search.q, search.content, rows);
      if (tooCostly) throw tooCostly;
      for (const { seq, matches } of events) {
        if (matches || matching.has(seq)) seqs.push(seq);
      }
      const last = events.at(-1);
      if (last && (seqs.length >= limit || performance.now() > overAt)) {
        return { seqs, resumeAfter: last.seq };
      }
    }
    return { seqs, resumeAfter: null };
  }
}

const isOfRows = ({ q, content }: Search): boolean => q === undefined && content === null;

/**
 * Adds the matches of a search without contents. Returns the sequence number down to which `found`
 * has all.
 */
async function findRows(
  sql: Sql,
  keys: readonly number[],
  { rows }: Search,
  keep: number,
  found: NewestMatches,
): Promise<number> {
  const places = keep === 0 ? [] : await matchingPlaces(sql, keys, rows, keep);
  const isWhole = places.length < keep;
  found.add(places, isWhole ? places.length : await countEvents(sql, keys, rows));
  return isWhole ? 0 : (places.at(-1)?.seq ?? 0);
}

async function advance(lane: SteppedLane): Promise<void> {
  try {
    const { done = true, value = 0 } = (await lane.steps?.next()) ?? {};
    lane.reached = Math.min(lane.reached, value);
    lane.isDone = done;
  } catch (error) {
    if (!(error instanceof TooCostlyEvent)) throw error;
    lane.reached = error.seq;
    lane.tooCostly = error;
  }
}

/** Returns the last sequence number in use. */
async function newest(sql: Sql): Promise<number> {
  const [row] = await sql.rows<{ seq: number }>('SELECT last_value AS seq FROM event_seqs');
  return row?.seq ?? 0;
}

/** Returns the number of events that a stopped search judged, and when the oldest was received. */
async function reachOf(
  sql: Sql,
  keys: readonly number[],
  { before, upTo }: { before: number; upTo: number },
): Promise<Pick<SearchStop, 'lookedAt' | 'until'>> {
  const [row] = await sql.rows<Pick<SearchStop, 'lookedAt' | 'until'>>(
    `SELECT k.count AS "lookedAt", (SELECT e.received_at FROM events e
       WHERE e.endpoint_key = ANY($1) AND e.seq = k.oldest) AS until
     FROM (SELECT count(*) AS count, min(e.seq) AS oldest FROM events e
       WHERE e.endpoint_key = ANY($1) AND e.seq BETWEEN $2 AND $3) k`,
    [keys, before, upTo],
  );
  return row ?? { lookedAt: 0, until: null };
}

async function rowsUpwards(
  sql: Sql,
  endpointKey: number,
  { rows }: Search,
  { limit, ...range }: UpwardRange,
): Promise<Matching> {
  const seqs = await matchingUpwards(sql, endpointKey, rows, range, limit);
  return { seqs, resumeAfter: seqs.length < limit ? null : (seqs.at(-1) ?? null) };
}
