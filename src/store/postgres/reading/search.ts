import type {
  EventFilter,
  EventPage,
  ListWindow,
  RuleTrial,
  TriedEvent,
} from '../../contract/events.ts';
import type { Scope } from '../../contract/scope.ts';
import type { Matching } from '../../shared/replay-slice.ts';
import { mergedMatching } from '../../shared/replays/merged-matching.ts';
import { type Search, searchesOf } from '../../shared/searches.ts';
import type { Database, Sql } from '../connection/database.ts';
import { candidatesOf, type Walk } from './candidates.ts';
import { batchesOf } from './contents.ts';
import type { EventJudge } from './event-judge.ts';
import {
  countEvents,
  type EventPlace,
  matchingPlaces,
  matchingUpwards,
  pageOfEvents,
  summariesOf,
} from './event-query.ts';
import { Found } from './found.ts';
import { tryRules, withTypes } from './judged-events.ts';
import { endpointsOf } from './scope.ts';

interface Request {
  keys: readonly number[];
  filter: EventFilter;
  /** Number of newest matches that are returned. */
  keep: number;
  signal: AbortSignal | undefined;
}

/** Events of one endpoint that a bulk replay looks at, from the oldest up. */
export interface UpwardRange {
  after: number;
  upTo: number;
  /** Most matches. */
  limit: number;
  /** Time after which the search stops, ms. It always gets on a little. */
  forMs: number;
}

interface Matches {
  /** The newest, newest first. */
  places: EventPlace[];
  total: number;
}

/** Lists, counts and searches events. Each call has its own snapshot. */
export class Searches {
  readonly #db: Database;
  readonly #judge: EventJudge;
  readonly #onIncomplete: Walk['onIncomplete'];

  constructor(db: Database, judge: EventJudge, onIncomplete: Walk['onIncomplete']) {
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
    const keep = window.offset + window.limit;
    const { places, total } = await this.#find(sql, { keys, filter, keep, signal });
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
      return (await this.#find(sql, { keys, filter, keep: 0, signal })).total;
    }, signal);
  }

  /** The matching events of a range, oldest first. */
  matching(endpointKey: number, filter: EventFilter, range: UpwardRange): Promise<Matching> {
    return this.#db.snapshot(async (sql) => {
      const keys = await endpointsOf(sql, { endpointKeys: [endpointKey] });
      if (keys.length === 0) return { seqs: [], resumeAfter: null };
      const found: Matching[] = [];
      for (const [i, search] of searchesOf(filter).entries()) {
        found.push(
          isOfRows(search)
            ? await rowsUpwards(sql, endpointKey, search, range)
            : await this.#lookUpwards(sql, endpointKey, search, range, `candidates_${i}`),
        );
      }
      return mergedMatching(found, range.limit);
    });
  }

  /** The newest matches, newest first, and the number of all. */
  async #find(sql: Sql, { keys, filter, keep, signal }: Request): Promise<Matches> {
    const found = new Found(keep);
    for (const [i, search] of searchesOf(filter).entries()) {
      if (isOfRows(search)) {
        await findRows(sql, keys, search, keep, found);
        continue;
      }
      // Looks into the contents of candidates.
      const candidates = candidatesOf(sql, keys, search, {
        cursor: `candidates_${i}`,
        onIncomplete: this.#onIncomplete,
      });
      for await (const { events, rows } of batchesOf(sql, candidates)) {
        const matching = await this.#judge.matching(search.q, search.content, rows);
        signal?.throwIfAborted();
        const places = events.filter(({ seq, matches }) => matches || matching.has(seq));
        found.add(places, places.length);
      }
    }
    return { places: found.newest(keep), total: found.total };
  }

  /** Looks into the contents of candidates, oldest first. */
  async #lookUpwards(
    sql: Sql,
    endpointKey: number,
    search: Search,
    { after, upTo, limit, forMs }: UpwardRange,
    cursor: string,
  ): Promise<Matching> {
    const overAt = performance.now() + forMs;
    const seqs: number[] = [];
    const candidates = candidatesOf(sql, [endpointKey], search, {
      cursor,
      upwards: { after, upTo },
      onIncomplete: this.#onIncomplete,
    });
    for await (const { events, rows } of batchesOf(sql, candidates)) {
      const matching = await this.#judge.matching(search.q, search.content, rows);
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

async function findRows(
  sql: Sql,
  keys: readonly number[],
  { rows }: Search,
  keep: number,
  found: Found,
): Promise<void> {
  const places = keep === 0 ? [] : await matchingPlaces(sql, keys, rows, keep);
  found.add(places, places.length < keep ? places.length : await countEvents(sql, keys, rows));
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
