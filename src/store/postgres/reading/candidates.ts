import type { Search } from '../../shared/searches.ts';
import type { Sql } from '../connection/database.ts';
import { condition, type EventPlace, type Query } from './event-query.ts';
import { type EventSpan, HAS_NO_TEXT, isIndexComplete, WATERMARK } from './texts/event-texts.ts';
import { likePattern } from './texts/search-text.ts';

/** Rows of a scan fetched at once: parsing them takes about a millisecond. */
const FETCH_ROWS = 2000;

/** An event that may match a search. */
export interface Candidate extends EventPlace {
  /** Body size, bytes. */
  size: number;
  /** Whether it matches: nobody needs to look into its content. */
  matches: boolean;
}

/** Where and in which order candidates are looked for. */
export interface Walk {
  /** A name that nothing else in the transaction uses. */
  cursor: string;
  /** The events after one and up to another, oldest first. All where it is left out, newest first. */
  upwards?: EventSpan;
  /** Called where the index lacks events of these endpoints. */
  onIncomplete: (keys: readonly number[]) => void;
}

const EVERYTHING: EventSpan = { after: 0, upTo: Number.MAX_SAFE_INTEGER };

/**
 * Fetches the candidates of a search: those of one endpoint in order. Texts give one
 * page from the index. A scan gives many pages.
 */
export async function* candidatesOf(
  sql: Sql,
  keys: readonly number[],
  search: Search,
  { cursor, upwards, onIncomplete }: Walk,
): AsyncGenerator<Candidate[], void> {
  const texts = [...(search.q === undefined ? [] : [[search.q]]), ...(search.content?.sieve ?? [])];
  if (texts.length > 0) {
    const holding = (isComplete: boolean) => {
      const query = eventsHolding(keys, search, texts, { upwards, isComplete });
      return sql.rows<Candidate>(query.sql, query.values);
    };
    // Both in one packet.
    const [isComplete, indexed] = await Promise.all([isIndexComplete(sql, keys), holding(true)]);
    if (!isComplete) onIncomplete(keys);
    const found = isComplete ? indexed : await holding(false);
    const [key = 0] = keys;
    // One endpoint's rows don't repeat its key.
    yield keys.length === 1 ? found.map((row) => ({ ...row, key })) : found;
    return;
  }
  for (const key of keys) {
    const query = everyEvent(key, search, upwards);
    // The FETCH follows in the same packet. It fails if this fails.
    sql.run(`DECLARE ${cursor} CURSOR FOR ${query.sql}`, query.values).catch(() => {});
    for (;;) {
      const page = await sql.rows<Candidate>(`FETCH ${FETCH_ROWS} FROM ${cursor}`);
      if (page.length > 0) yield page;
      if (page.length < FETCH_ROWS) break;
    }
    sql.run(`CLOSE ${cursor}`).catch(() => {});
  }
}

/**
 * Every event whose row fits. The planner expects that a cursor's reader takes a tenth of
 * the rows, so it walks an index and spares a sort.
 */
export function everyEvent(key: number, { rows }: Search, upwards?: EventSpan): Query {
  const span = upwards ? [upwards.after, upwards.upTo] : [];
  const { sql: where, values } = condition(rows, 2 + span.length, false);
  return {
    sql: `SELECT e.endpoint_key AS key, e.seq, e.size, false AS matches FROM events e
      WHERE e.endpoint_key = $1${upwards ? ' AND e.seq > $2 AND e.seq <= $3' : ''}${where}
      ORDER BY e.seq ${upwards ? 'ASC' : 'DESC'}`,
    values: [key, ...span, ...values],
  };
}

/**
 * The events whose body may contain the texts, some text of each clause: those whose
 * indexed text does, those without a text, and those that aren't indexed yet.
 *
 * The body's bytes decide about `q`. An event matches if its body contains the query as
 * received. If the body has a backslash, its decoded escapes may contain the query.
 *
 * Rows have the endpoint's key where there are several endpoints.
 *
 * @param isComplete whether the index has all events up to its watermark. Otherwise the
 *   query looks for each event that has no text, which takes longer
 */
export function eventsHolding(
  keys: readonly number[],
  { rows, q, content }: Search,
  clauses: readonly (readonly string[])[],
  { upwards, isComplete = true }: { upwards?: EventSpan | undefined; isComplete?: boolean } = {},
): Query {
  const isOne = keys.length === 1;
  const { after, upTo } = upwards ?? EVERYTHING;
  const values: unknown[] = [isOne ? keys[0] : keys, after, upTo];
  // Without both ends the planner expects many events that the index has not reached.
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
      ${chosen} ORDER BY seq ${upwards ? 'ASC' : 'DESC'}`,
    values,
  };
}
