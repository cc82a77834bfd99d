import type { Place } from '../../shared/search/newest-matches.ts';
import type { Search } from '../../shared/search/searches.ts';
import type { Sql } from '../connection/database.ts';
import { condition, type SqlQuery } from '../events/event-query.ts';
import {
  type EventSpan,
  HAS_NO_TEXT,
  isIndexComplete,
  WATERMARK,
} from '../search-index/event-texts.ts';
import { likePattern } from '../search-index/search-text.ts';

/** The number of rows in one page of a scan. Parsing them takes about a millisecond. */
const PAGE_ROWS = 2000;
/**
 * The width of the first window of a scan over several endpoints, in sequence numbers. Later
 * windows adapt to the number of found events.
 */
const FIRST_WIDTH = 4096;
const WIDER = 4;

/** An event that may match a search. */
export interface Candidate extends Place {
  /** The body size, bytes. */
  size: number;
  /** Whether the event surely matches. Its content then isn't read. */
  matches: boolean;
}

/** The span in which a search looks for candidates, and the order. */
export interface Walk extends EventSpan {
  /** True: oldest first. False: newest first. */
  isUpwards: boolean;
}

/** Called if the index lacks events of these endpoints. */
export type OnIncomplete = (keys: readonly number[]) => void;

/** Yields pages of candidates, in order. With texts, the index finds them all in one page. */
export async function* candidatesOf(
  sql: Sql,
  keys: readonly number[],
  search: Search,
  walk: Walk,
  onIncomplete: OnIncomplete,
): AsyncGenerator<Candidate[], void> {
  const texts = [...(search.q === undefined ? [] : [[search.q]]), ...(search.content?.sieve ?? [])];
  if (texts.length === 0) {
    yield* scan(sql, keys, search, walk);
    return;
  }
  const holding = (isComplete: boolean) => {
    const query = eventsHolding(keys, search, texts, walk, isComplete);
    return sql.rows<Candidate>(query.sql, query.values);
  };
  const [isComplete, indexed] = await Promise.all([isIndexComplete(sql, keys), holding(true)]);
  if (!isComplete) onIncomplete(keys);
  const found = isComplete ? indexed : await holding(false);
  const [key = 0] = keys;
  // The rows of a single endpoint lack its key, so add the key.
  yield keys.length === 1 ? found.map((row) => ({ ...row, key })) : found;
}

/**
 * Yields every event whose row fits, page by page. For one endpoint, an index has the order. Events
 * of several endpoints must be sorted. To limit that, the scan reads windows of sequence numbers,
 * each with about one page of events.
 */
async function* scan(
  sql: Sql,
  keys: readonly number[],
  search: Search,
  { isUpwards, ...span }: Walk,
): AsyncGenerator<Candidate[], void> {
  let { after, upTo } = span;
  let width = keys.length === 1 ? Number.POSITIVE_INFINITY : FIRST_WIDTH;
  while (after < upTo) {
    const window = isUpwards
      ? { after, upTo: Math.min(upTo, after + width), isUpwards }
      : { after: Math.max(after, upTo - width), upTo, isUpwards };
    const query = everyEvent(keys, search, window);
    const page = await sql.rows<Candidate>(query.sql, query.values);
    if (page.length > 0) yield page;
    const last = page.length === PAGE_ROWS ? page.at(-1)?.seq : undefined;
    if (isUpwards) after = last ?? window.upTo;
    else upTo = last === undefined ? window.after : last - 1;
    if (last !== undefined) width = Math.max(1, Math.floor(width / 2));
    else if (page.length < PAGE_ROWS / WIDER) width *= WIDER;
  }
}

/** Returns a query for the first page of events in a walk whose rows fit. */
export function everyEvent(
  keys: readonly number[],
  { rows }: Search,
  { after, upTo, isUpwards }: Walk,
): SqlQuery {
  const isOne = keys.length === 1;
  const { sql: where, values } = condition(rows, 4, false);
  return {
    sql: `SELECT e.endpoint_key AS key, e.seq, e.size, false AS matches FROM events e
      WHERE e.endpoint_key = ${isOne ? '$1' : 'ANY($1)'} AND e.seq > $2 AND e.seq <= $3${where}
      ORDER BY e.seq ${isUpwards ? 'ASC' : 'DESC'} LIMIT ${PAGE_ROWS}`,
    values: [isOne ? keys[0] : keys, after, upTo, ...values],
  };
}

/**
 * Returns a query for the events whose body may contain at least one text of each clause. It also
 * finds events that have no text or aren't indexed yet.
 *
 * The body's bytes decide about `q`. An event surely matches if its body contains `q` as received.
 * If the body has a backslash, its decoded escapes may contain `q`.
 *
 * A row has its endpoint's key only if there are several endpoints.
 *
 * @param isComplete whether the index has all events up to the watermark. If not, the query looks
 *   for each event without a text, which takes longer
 */
export function eventsHolding(
  keys: readonly number[],
  { rows, q, content }: Search,
  clauses: readonly (readonly string[])[],
  { after, upTo, isUpwards }: Walk,
  isComplete = true,
): SqlQuery {
  const isOne = keys.length === 1;
  const values: unknown[] = [isOne ? keys[0] : keys, after, upTo];
  // Name both ends of the span. Otherwise the planner expects too many events beyond the watermark.
  const inSpan = ' AND seq > $2 AND seq <= $3';
  const key = (column: string) => (isOne ? '' : `${column}, `);
  const isOfScope = isOne ? 'endpoint_key = $1' : 'endpoint_key = ANY($1)';
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const holds = clauses.map((texts) => {
    const some = texts.map((text) => `text LIKE ${parameter(likePattern(text))}`);
    return ` AND (${some.join(' OR ')})`;
  });
  const bytes = q === undefined ? '' : `${parameter(Buffer.from(q))}::bytea`;
  const row = condition(rows, values.length + 1, true);
  values.push(...row.values);
  const fits = `FROM candidates k
    JOIN events e ON e.endpoint_key = ${isOne ? '$1' : 'k.key'} AND e.seq = k.seq`;
  const chosen =
    q === undefined
      ? `SELECT ${key('k.key')}k.seq, e.size, false AS matches ${fits} WHERE true${row.sql}`
      : `SELECT ${key('key')}seq, size, ${content === null ? 'found' : 'false'} AS matches FROM (
          SELECT ${key('k.key')}k.seq, e.size, position(${bytes} IN c.body) > 0 AS found,
            position('\\x5c'::bytea IN c.body) > 0 AS escaped
          ${fits} JOIN event_contents c ON c.seq = k.seq WHERE true${row.sql}) looked
        WHERE found OR escaped`;
  return {
    sql: `WITH candidates AS MATERIALIZED (
        SELECT ${key('endpoint_key AS key')}seq FROM event_texts
        WHERE ${isOfScope}${holds.join('')}${inSpan}
        UNION ALL
        SELECT ${key('endpoint_key')}seq FROM event_texts
        WHERE ${isOfScope} AND text IS NULL${inSpan}
        UNION ALL
        SELECT ${key('endpoint_key')}seq FROM events e WHERE ${isOfScope}${inSpan}
          AND ${isComplete ? `seq > ${WATERMARK}` : HAS_NO_TEXT}
      )
      ${chosen} ORDER BY seq ${isUpwards ? 'ASC' : 'DESC'}`,
    values,
  };
}
