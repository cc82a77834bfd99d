import type {
  EventFilter,
  EventPage,
  ListWindow,
  RuleTrial,
  TriedEvent,
} from '../../contract/events.ts';
import type { Scope } from '../../contract/scope.ts';
import type { Matching } from '../../shared/replay-slice.ts';
import { type Search, searchesOf } from '../../shared/searches.ts';
import type { Database, Sql } from '../connection/database.ts';
import { candidatesOf } from './candidates.ts';
import { batchesOf } from './contents.ts';
import type { EventJudge } from './event-judge.ts';
import {
  countEvents,
  type EventPlace,
  matchingPlaces,
  pageOfEvents,
  summariesOf,
} from './event-query.ts';
import { Found } from './found.ts';
import { tryRules, withTypes } from './judged-events.ts';
import { endpointsOf } from './scope.ts';

interface Request {
  keys: readonly number[];
  filter: EventFilter;
  /** Newest sequence number that the search reads. */
  upTo: number;
  /** Number of newest matches that are returned. */
  keep: number;
  /** Number of newest matches at which the search stops. With several endpoints it must be infinite. */
  limit: number;
  signal: AbortSignal | undefined;
  /** Time after which the search stops, ms. */
  forMs?: number;
}

interface Matches {
  /** The newest, newest first. */
  places: EventPlace[];
  total: number;
  /** Newest sequence number that the search didn't reach. Null at its end. */
  resumeAt: number | null;
}

/** Lists, counts and searches events. Each call has its own snapshot. */
export class Searches {
  readonly #db: Database;
  readonly #judge: EventJudge;

  constructor(db: Database, judge: EventJudge) {
    this.#db = db;
    this.#judge = judge;
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
      const { events, total } = await this.#page(sql, keys, filter, window, signal);
      if (!window.typesInBodies) return { events, total };
      return { events: await withTypes(sql, this.#judge, events), total };
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
    const request = { ...{ keys, filter, signal }, ...EVERYTHING };
    const keep = window.offset + window.limit;
    const { places, total } = await this.#find(sql, { ...request, keep });
    return { events: await summariesOf(sql, places.slice(window.offset)), total };
  }

  tryRules(endpointKey: number, trial: RuleTrial, signal?: AbortSignal): Promise<TriedEvent[]> {
    return this.#db.snapshot(async (sql) => {
      const keys = await endpointsOf(sql, { endpointKeys: [endpointKey] });
      return keys.length === 0 ? [] : tryRules(sql, this.#judge, endpointKey, trial, signal);
    }, signal);
  }

  count(endpointKey: number, filter: EventFilter, signal?: AbortSignal): Promise<number> {
    return this.#db.snapshot(async (sql) => {
      const keys = await endpointsOf(sql, { endpointKeys: [endpointKey] });
      if (keys.length === 0) return 0;
      const request = { ...{ keys, filter, signal }, ...EVERYTHING, keep: 0 };
      return (await this.#find(sql, request)).total;
    }, signal);
  }

  /**
   * Sequence numbers of matching events up to `upTo`, newest first, at most `limit`. Stops
   * after `forMs`.
   */
  matching(
    endpointKey: number,
    filter: EventFilter,
    upTo: number,
    limit: number,
    forMs: number,
  ): Promise<Matching> {
    return this.#db.snapshot(async (sql) => {
      const keys = await endpointsOf(sql, { endpointKeys: [endpointKey] });
      if (keys.length === 0) return { seqs: [], resumeAt: null };
      const request = { ...{ keys, filter, upTo, limit, forMs }, keep: limit, signal: undefined };
      const { places, resumeAt } = await this.#find(sql, request);
      return { seqs: places.map(({ seq }) => seq), resumeAt };
    });
  }

  /** The newest matches, newest first, and the number of all. */
  async #find(sql: Sql, request: Request): Promise<Matches> {
    const { filter, keep, limit } = request;
    const found = new Found(keep);
    let resumeAt: number | null = null;
    for (const [i, search] of searchesOf(filter).entries()) {
      if (search.q === undefined && search.content === null) {
        await findRows(sql, request, search, found);
      } else {
        const matches = await this.#look(sql, request, search, `candidates_${i}`);
        found.add(matches.places, matches.total);
        if (matches.resumeAt !== null) resumeAt = Math.max(resumeAt ?? 0, matches.resumeAt);
      }
    }
    const reached = resumeAt ?? 0;
    const places = found.newest(Math.min(keep, limit)).filter(({ seq }) => seq > reached);
    return { places, total: found.total, resumeAt };
  }

  /** Looks into the contents of candidates. */
  async #look(
    sql: Sql,
    { keys, upTo, keep, limit, signal, forMs = Number.POSITIVE_INFINITY }: Request,
    search: Search,
    cursor: string,
  ): Promise<Matches> {
    const overAt = performance.now() + forMs;
    const found = new Found(keep);
    const candidates = candidatesOf(sql, keys, search, upTo, cursor);
    for await (const { events, rows } of batchesOf(sql, candidates)) {
      const matching = await this.#judge.matching(search.q, search.content, rows);
      signal?.throwIfAborted();
      const places = events.filter(({ seq, matches }) => matches || matching.has(seq));
      found.add(places, places.length);
      if (found.total >= limit) break;
      const last = events.at(-1);
      if (last && performance.now() > overAt) {
        return { places: found.newest(keep), total: found.total, resumeAt: last.seq - 1 };
      }
    }
    return { places: found.newest(keep), total: found.total, resumeAt: null };
  }
}

const EVERYTHING = { upTo: Number.MAX_SAFE_INTEGER, limit: Number.POSITIVE_INFINITY };

async function findRows(
  sql: Sql,
  { keys, upTo, keep, limit }: Request,
  { rows }: Search,
  found: Found,
): Promise<void> {
  const most = Math.min(keep, limit);
  const places = most === 0 ? [] : await matchingPlaces(sql, keys, rows, upTo, most);
  const isAll = places.length < most || most === limit;
  found.add(places, isAll ? places.length : await countEvents(sql, keys, rows));
}
