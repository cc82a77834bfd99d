import { decodedIncludes } from '../../../core/search-text.ts';
import type { EventFilter, EventPage, RuleTrial, TriedEvent } from '../../contract/events.ts';
import type { Scope } from '../../contract/scope.ts';
import type { Database, Sql } from '../connection/database.ts';
import {
  condition,
  countEvents,
  endpointExists,
  matchingSeqs,
  pageOfEvents,
  summariesOf,
} from './event-query.ts';
import { likePattern } from './search-text.ts';

/** Most bodies fetched at once to decode their escapes, bytes and rows. */
const LOOK_BYTES = 16 * 1024 * 1024;
const LOOK_ROWS = 500;

/**
 * Selects the endpoint's events whose body may contain the query: those whose text
 * matches in the trigram index, those without a text, and those that aren't indexed yet.
 * The body's bytes decide. `found` says that the body contains the query as received.
 * Otherwise, if the body has a backslash (`escaped`), the caller decodes its escapes and
 * looks again.
 *
 * Parameters: $1 endpoint, $2 pattern, $3 the query's bytes, $4 newest sequence number.
 */
export const CANDIDATES = `
  WITH candidates AS MATERIALIZED (
    SELECT seq FROM event_texts WHERE endpoint_key = $1 AND text LIKE $2 AND seq <= $4
    UNION ALL
    SELECT seq FROM event_texts WHERE endpoint_key = $1 AND text IS NULL AND seq <= $4
    UNION ALL
    SELECT seq FROM events WHERE endpoint_key = $1 AND seq <= $4
      AND seq > (SELECT value::bigint FROM meta WHERE name = 'search_watermark')
  )
  SELECT seq, size, found FROM (
    SELECT e.seq, e.size, position($3::bytea IN c.body) > 0 AS found,
      position('\\x5c'::bytea IN c.body) > 0 AS escaped
    FROM candidates k
    JOIN events e ON e.endpoint_key = $1 AND e.seq = k.seq
    JOIN event_contents c ON c.seq = k.seq
    WHERE true`;

interface Candidate {
  seq: number;
  size: number;
  found: boolean;
}

/** Lists, counts and searches events. Each call has its own snapshot. */
export class Searches {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  page(
    scope: Scope,
    filter: EventFilter,
    window: { offset: number; limit: number },
    signal?: AbortSignal,
  ): Promise<EventPage> {
    if (!('endpointKeys' in scope)) throw new Error('not yet');
    const endpointKey = scope.endpointKeys[0] as number;
    return this.#db.snapshot(async (sql) => {
      if (!(await endpointExists(sql, endpointKey))) return { events: [], total: 0 };
      const { q, ...rowFilter } = filter;
      if (q === undefined) return pageOfEvents(sql, endpointKey, rowFilter, window);
      const seqs = await search(sql, endpointKey, { ...rowFilter, q });
      const shown = seqs.slice(window.offset, window.offset + window.limit);
      return { events: await summariesOf(sql, endpointKey, shown), total: seqs.length };
    }, signal);
  }

  tryRules(_endpointKey: number, _trial: RuleTrial, _signal?: AbortSignal): Promise<TriedEvent[]> {
    throw new Error('not yet');
  }

  count(endpointKey: number, filter: EventFilter, signal?: AbortSignal): Promise<number> {
    return this.#db.snapshot(async (sql) => {
      if (!(await endpointExists(sql, endpointKey))) return 0;
      const { q, ...rowFilter } = filter;
      if (q === undefined) return countEvents(sql, endpointKey, rowFilter);
      return (await search(sql, endpointKey, { ...rowFilter, q })).length;
    }, signal);
  }

  /** Sequence numbers of matching events up to `upTo`, newest first, at most `limit`. */
  matching(
    endpointKey: number,
    filter: EventFilter,
    upTo: number,
    limit: number,
  ): Promise<number[]> {
    return this.#db.snapshot(async (sql) => {
      if (!(await endpointExists(sql, endpointKey))) return [];
      const { q, ...rowFilter } = filter;
      if (q === undefined) return matchingSeqs(sql, endpointKey, rowFilter, upTo, limit);
      return (await search(sql, endpointKey, { ...rowFilter, q }, upTo)).slice(0, limit);
    });
  }
}

/** The matching events' sequence numbers, newest first. */
async function search(
  sql: Sql,
  endpointKey: number,
  filter: EventFilter & { q: string },
  upTo = Number.MAX_SAFE_INTEGER,
): Promise<number[]> {
  const { q, ...rowFilter } = filter;
  const { sql: where, values } = condition(rowFilter, 5, true);
  const candidates = await sql.rows<Candidate>(
    `${CANDIDATES}${where}) looked WHERE found OR escaped ORDER BY seq DESC`,
    [endpointKey, likePattern(q), Buffer.from(q), upTo, ...values],
  );
  const escaped = candidates.filter(({ found }) => !found);
  for (const slice of slices(escaped)) {
    const bodies = await sql.rows<{ seq: number; body: Buffer }>(
      'SELECT seq, body FROM event_contents WHERE seq = ANY($1)',
      [slice.map(({ seq }) => seq)],
    );
    const matching = new Set(
      bodies.filter(({ body }) => decodedIncludes(body, q)).map(({ seq }) => seq),
    );
    for (const candidate of slice) candidate.found = matching.has(candidate.seq);
  }
  return candidates.filter(({ found }) => found).map(({ seq }) => seq);
}

function* slices(candidates: readonly Candidate[]): Generator<Candidate[]> {
  let slice: Candidate[] = [];
  let bytes = 0;
  for (const candidate of candidates) {
    if (slice.length === LOOK_ROWS || (slice.length > 0 && bytes + candidate.size > LOOK_BYTES)) {
      yield slice;
      slice = [];
      bytes = 0;
    }
    slice.push(candidate);
    bytes += candidate.size;
  }
  if (slice.length > 0) yield slice;
}
