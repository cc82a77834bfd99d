import type { Search } from '../../shared/searches.ts';
import type { Sql } from '../connection/database.ts';
import { condition, type EventPlace, type Query } from './event-query.ts';
import { likePattern } from './search-text.ts';

/** Candidates fetched at once: parsing them takes about a millisecond. */
const FETCH_ROWS = 2000;

/** An event that may match a search. */
export interface Candidate extends EventPlace {
  /** Body size, bytes. */
  size: number;
  /** Whether it matches: nobody needs to look into its content. */
  matches: boolean;
}

/**
 * Fetches the candidates of a search, page by page: those of one endpoint newest first.
 * Ends with the transaction, whose only cursor of this name it uses.
 */
export async function* candidatesOf(
  sql: Sql,
  keys: readonly number[],
  search: Search,
  upTo: number,
  cursor: string,
): AsyncGenerator<Candidate[], void> {
  const query = candidateQuery(keys, search, upTo);
  // By default the planner expects that only a tenth of a cursor's rows are fetched.
  const opened = sql.run('SET LOCAL cursor_tuple_fraction = 1');
  opened.catch(() => {});
  const declared = sql.run(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${query.sql}`, query.values);
  declared.catch(() => {});
  for (;;) {
    const page = await sql.rows<Candidate>(`FETCH ${FETCH_ROWS} FROM ${cursor}`);
    if (page.length > 0) yield page;
    if (page.length < FETCH_ROWS) return;
  }
}

export function candidateQuery(keys: readonly number[], search: Search, upTo: number): Query {
  const { q, content } = search;
  const texts = [...(q === undefined ? [] : [[q]]), ...(content?.sieve ?? [])];
  return texts.length === 0
    ? everyEvent(keys, search, upTo)
    : eventsHolding(keys, search, upTo, texts);
}

/** Every event whose row fits, endpoint by endpoint. */
function everyEvent(keys: readonly number[], { rows }: Search, upTo: number): Query {
  const { sql: where, values } = condition(rows, 3, false);
  return {
    sql: `SELECT m.key, m.seq, m.size, false AS matches
      FROM unnest($1::bigint[]) AS k(key) CROSS JOIN LATERAL (
        SELECT e.endpoint_key AS key, e.seq, e.size FROM events e
        WHERE e.endpoint_key = k.key AND e.seq <= $2${where} ORDER BY e.seq DESC) m`,
    values: [keys, upTo, ...values],
  };
}

/**
 * The events whose body may contain the texts, some text of each clause: those whose
 * indexed text does, those without a text, and those that aren't indexed yet.
 *
 * The body's bytes decide about `q`. An event matches if its body contains the query as
 * received. If the body has a backslash, its decoded escapes may contain the query.
 */
function eventsHolding(
  keys: readonly number[],
  { rows, q, content }: Search,
  upTo: number,
  clauses: readonly (readonly string[])[],
): Query {
  const values: unknown[] = [keys, upTo];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const holds = clauses.map((texts) => {
    const some = texts.map((text) => `text LIKE ${parameter(likePattern(text))}`);
    return ` AND (${some.join(' OR ')})`;
  });
  const bytes = q === undefined ? '' : `${parameter(Buffer.from(q))}::bytea`;
  const row = condition(rows, values.length + 1, true);
  values.push(...row.values);
  const fits = `FROM candidates k
    JOIN events e ON e.endpoint_key = k.key AND e.seq = k.seq`;
  const chosen =
    q === undefined
      ? `SELECT k.key, k.seq, e.size, false AS matches ${fits} WHERE true${row.sql}`
      : `SELECT key, seq, size, ${content === null ? 'found' : 'false'} AS matches FROM (
          SELECT k.key, k.seq, e.size, position(${bytes} IN c.body) > 0 AS found,
            position('\\x5c'::bytea IN c.body) > 0 AS escaped
          ${fits} JOIN event_contents c ON c.seq = k.seq WHERE true${row.sql}) looked
        WHERE found OR escaped`;
  return {
    sql: `WITH candidates AS MATERIALIZED (
        SELECT endpoint_key AS key, seq FROM event_texts
        WHERE endpoint_key = ANY($1)${holds.join('')} AND seq <= $2
        UNION ALL
        SELECT endpoint_key, seq FROM event_texts
        WHERE endpoint_key = ANY($1) AND text IS NULL AND seq <= $2
        UNION ALL
        SELECT endpoint_key, seq FROM events WHERE endpoint_key = ANY($1) AND seq <= $2
          AND seq > (SELECT value::bigint FROM meta WHERE name = 'search_watermark')
      )
      ${chosen} ORDER BY seq DESC`,
    values,
  };
}
