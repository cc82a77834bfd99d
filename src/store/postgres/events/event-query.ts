import type { EventStatus, EventSummary } from '../../../core/model.ts';
import { VERIFICATION_STATE, type VerificationState } from '../../../core/proof/verification.ts';
import { MAX_TYPED_BODY_BYTES } from '../../../core/rules/request-parts.ts';
import type { EventPage } from '../../contract/events.ts';
import { statusCode } from '../../shared/codes.ts';
import { Columns } from '../../shared/columns.ts';
import { type SummaryRow, summaryOf } from '../../shared/events/summary-rows.ts';
import type { Place } from '../../shared/search/newest-matches.ts';
import type { RowFilter } from '../../shared/search/searches.ts';
import type { Sql } from '../connection/database.ts';
import { storable } from '../connection/storable.ts';
import { OPEN_OF_EVENT } from '../deliveries/delivery-rows.ts';
import { SUMMARY_COLUMNS } from './summary-columns.ts';

/** The codes of the statuses that `failed_events` lists. */
export const LISTED_STATUSES: readonly number[] = [statusCode('failed'), statusCode('dead_letter')];

const PLACE = new Columns({ key: 'bigint', seq: 'bigint' });
const COUNTED = new Columns({ key: 'bigint', count: 'bigint' });

export interface SqlQuery {
  sql: string;
  values: unknown[];
}

export interface PostgresEventCondition extends SqlQuery {
  /** SQL condition on `events e`. It starts with ` AND`, or is empty. */
  sql: string;
  values: (string | number)[];
}

/** SQL condition: the event's headers name no type, but its body may. */
const UNTYPED = ` AND e.event_type IS NULL AND e.size <= ${MAX_TYPED_BODY_BYTES}`;

const isListed = (status: EventStatus | undefined): boolean =>
  status !== undefined && LISTED_STATUSES.includes(statusCode(status));

/** Returns whether counters know the number of matching events. They know it only by status. */
const isCounted = ({ status: _, ...others }: RowFilter): boolean =>
  Object.values(others).every((value) => value === undefined);

/**
 * SQL condition: the filter of the destination with this id dropped the event. The text of a drop
 * is `["id",key,version]`, where only the key has a comma on both sides.
 */
const isFilteredBy = (parameter: string) =>
  `EXISTS (SELECT 1 FROM filtered_events f
    JOIN destinations d ON d.endpoint_key = f.endpoint_key AND d.id = ${parameter}
    WHERE f.endpoint_key = e.endpoint_key AND f.event_seq = e.seq
      AND strpos(f.dropped, ',' || d.key || ',') > 0)`;

/** SQL condition: the event has this status. `failed_events` lists the rare statuses. */
const hasStatus = (status: EventStatus | undefined) => (parameter: string) =>
  isListed(status)
    ? `EXISTS (SELECT 1 FROM failed_events f
        WHERE f.endpoint_key = e.endpoint_key AND f.seq = e.seq AND f.status = ${parameter})`
    : `e.status = ${parameter}`;

/**
 * SQL condition: the event has this verification state. Events of an endpoint without a source have
 * no stored state.
 */
const isVerification = (state: VerificationState | undefined) => (parameter: string) =>
  state === 'unverified'
    ? `(e.verification = ${parameter} OR e.verification IS NULL)`
    : `e.verification = ${parameter}`;

const DUPLICATES = {
  only: ' AND e.duplicate_of IS NOT NULL',
  hide: ' AND e.duplicate_of IS NULL',
} as const;

/**
 * Returns the SQL condition of a filter.
 *
 * @param first the number of the condition's first parameter
 * @param walk whether rows are read by `seq`. The planner then must not use the index by time,
 *   because it would have to sort the rows
 */
export function condition(filter: RowFilter, first: number, walk: boolean): PostgresEventCondition {
  const time = walk ? '(e.received_at + 0)' : 'e.received_at';
  const { headerType } = filter;
  const is =
    (column: string, operator = '=') =>
    (parameter: string) =>
      `${column} ${operator} ${parameter}`;
  const parts: [(parameter: string) => string, string | number | undefined][] = [
    [hasStatus(filter.status), filter.status && statusCode(filter.status)],
    [is('e.method'), filter.method === undefined ? undefined : storable(filter.method)],
    [is('e.seq', '>'), filter.after],
    [is('e.seq', '<'), filter.before],
    [is(time, '>='), filter.from],
    [is(time, '<'), filter.to],
    [isFilteredBy, filter.filteredBy === undefined ? undefined : storable(filter.filteredBy)],
    [
      isVerification(filter.verification),
      filter.verification && VERIFICATION_STATE.code(filter.verification),
    ],
    [is('e.event_type'), typeof headerType === 'string' ? storable(headerType) : undefined],
  ];
  const used = parts.filter(
    (part): part is [(parameter: string) => string, string | number] => part[1] !== undefined,
  );
  const duplicates = filter.duplicates === undefined ? '' : DUPLICATES[filter.duplicates];
  const mayBeInBody = headerType === null ? UNTYPED : '';
  const waiting = filter.waiting ? IS_WAITING : '';
  return {
    sql:
      used.map(([sql], i) => ` AND ${sql(`$${first + i}`)}`).join('') +
      duplicates +
      mayBeInBody +
      waiting,
    values: used.map(([, value]) => value),
  };
}

/** SQL condition: the event has an open delivery. Most events show by their row that they have none. */
const IS_WAITING = ` AND (e.open > 0 OR e.counted_from IS NOT NULL)
  AND EXISTS (SELECT 1 FROM ${OPEN_OF_EVENT})`;

/**
 * SQL for the places of an endpoint’s events with open deliveries, newest first. It reads each
 * destination’s deliveries in sequence by the primary key.
 *
 * @param where a condition on `events e` and `open_deliveries w`
 * @param limit SQL for the number of places; empty for all
 */
const placesOfWaiting = (key: string, where: string, limit = '') => `
  SELECT DISTINCT m.endpoint_key, m.seq FROM destinations d CROSS JOIN LATERAL (
    SELECT DISTINCT w.endpoint_key, w.event_seq AS seq FROM open_deliveries w
    JOIN events e ON e.endpoint_key = w.endpoint_key AND e.seq = w.event_seq
    WHERE w.destination_key = d.key${where}
    ORDER BY w.event_seq DESC ${limit && `LIMIT ${limit}`}) m
  WHERE d.endpoint_key = ${key}
  ORDER BY m.seq DESC`;

interface Extent {
  total: number;
  first: number;
  last: number;
  /**
   * The number of matching events of each endpoint that has any. Null if counters don't know it.
   */
  byKey: { key: number; count: number }[] | null;
}

/** Returns the number of matching events and their range of sequence numbers. */
async function extent(sql: Sql, keys: readonly number[], filter: RowFilter): Promise<Extent> {
  const { status } = filter;
  if (isCounted(filter)) {
    const byKey = await sql.rows<{ key: number; count: number }>(
      `SELECT endpoint_key AS key, sum(count)::bigint AS count FROM event_counts
       WHERE endpoint_key = ANY($1)${status ? ' AND status = $2' : ''}
       GROUP BY 1 HAVING sum(count) > 0`,
      status ? [keys, statusCode(status)] : [keys],
    );
    const total = byKey.reduce((sum, { count }) => sum + count, 0);
    return { total, first: 0, last: Number.MAX_SAFE_INTEGER, byKey };
  }
  const { sql: where, values } = countQuery(keys, filter);
  const [row] = await sql.rows<Omit<Extent, 'byKey'>>(where, values);
  return { ...(row as Extent), byKey: null };
}

export function countQuery(keys: readonly number[], filter: RowFilter): SqlQuery {
  const { waiting, ...others } = filter;
  const { sql: where, values } = condition(others, 2, false);
  const counted =
    'count(*) AS total, coalesce(min(e.seq), 0) AS first, coalesce(max(e.seq), 0) AS last';
  if (waiting) {
    const places = placesOfWaiting('ANY($1)', where);
    return { sql: `SELECT ${counted} FROM (${places}) e`, values: [keys, ...values] };
  }
  return {
    sql: `SELECT ${counted}
      FROM events e WHERE e.endpoint_key = ANY($1)${where}`,
    values: [keys, ...values],
  };
}

export async function countEvents(
  sql: Sql,
  keys: readonly number[],
  filter: RowFilter,
): Promise<number> {
  return (await extent(sql, keys, filter)).total;
}

/** Returns one page of events, newest first, and the exact total. `sql` must read one snapshot. */
export async function pageOfEvents(
  sql: Sql,
  keys: readonly number[],
  filter: RowFilter,
  window: { offset: number; limit: number },
): Promise<EventPage> {
  const { total, first, last, byKey } = await extent(sql, keys, filter);
  if (window.offset >= total) return { events: [], total };
  const most = byKey ?? keys.map((key) => ({ key, count: total }));
  const page = pageQuery(most, filter, { first, last, ...window });
  const rows = await sql.rows<SummaryRow>(page.sql, page.values);
  return { events: rows.map(summaryOf), total };
}

/**
 * Returns a query that reads one page of each endpoint from an index and merges these pages. To
 * sort all events would cost more. A common status has no index, so the scan reads events of all
 * statuses. It stops after `count` matches.
 *
 * @param endpoints `count` is the largest number of matching events of the endpoint
 */
export function pageQuery(
  endpoints: readonly { key: number; count: number }[],
  filter: RowFilter,
  page: { first: number; last: number; offset: number; limit: number },
): SqlQuery {
  const { waiting, ...others } = filter;
  const isOfList = isListed(filter.status) && isCounted(filter);
  const { sql: where, values } = isOfList
    ? { sql: ' AND e.status = $7', values: [statusCode(filter.status as EventStatus)] }
    : condition(others, 7, true);
  const table = isOfList ? 'failed_events' : 'events';
  const inSequence = (key: string, limit: string) => `
    SELECT e.endpoint_key, e.seq FROM ${table} e
    WHERE e.endpoint_key = ${key} AND e.seq BETWEEN $1 AND $2${where}
    ORDER BY e.seq DESC LIMIT ${limit}`;
  const waitingOf = (key: string, limit: string) => {
    const most = '$3::bigint + $4::bigint';
    const inRange = ` AND w.event_seq BETWEEN $1 AND $2${where}`;
    return `${placesOfWaiting(key, inRange, most)} LIMIT ${limit}`;
  };
  const ofEndpoint = waiting ? waitingOf : inSequence;
  const [one] = endpoints;
  const only = endpoints.length === 1 ? one : undefined;
  const places = only
    ? `${ofEndpoint('$5', 'least($3::bigint, $6::bigint - $4::bigint)')} OFFSET $4::bigint`
    : `SELECT m.endpoint_key, m.seq FROM ${COUNTED.unnest('k', 5)}
       CROSS JOIN LATERAL (
         ${ofEndpoint('k.key', 'least($3::bigint + $4::bigint, k.count)')}) m
       ORDER BY m.seq DESC LIMIT $3::bigint OFFSET $4::bigint`;
  return {
    sql: `SELECT ${SUMMARY_COLUMNS} FROM (${places}) k
      JOIN events e ON e.endpoint_key = k.endpoint_key AND e.seq = k.seq ORDER BY e.seq DESC`,
    values: [
      ...[page.first, page.last, page.limit, page.offset],
      ...(only ? [only.key, only.count] : COUNTED.arrays(endpoints)),
      ...values,
    ],
  };
}

/** Returns the places of matching events, newest first. */
export async function matchingPlaces(
  sql: Sql,
  keys: readonly number[],
  filter: RowFilter,
  limit: number,
): Promise<Place[]> {
  const { sql: where, values } = condition(filter, 3, true);
  return sql.rows<Place>(
    `SELECT m.key, m.seq FROM unnest($1::bigint[]) AS k(key) CROSS JOIN LATERAL (
       SELECT e.endpoint_key AS key, e.seq FROM events e
       WHERE e.endpoint_key = k.key${where}
       ORDER BY e.seq DESC LIMIT $2) m
     ORDER BY m.seq DESC LIMIT $2`,
    [keys, limit, ...values],
  );
}

/** Returns the sequence numbers of matching events after `after` and up to `upTo`, oldest first. */
export async function matchingUpwards(
  sql: Sql,
  endpointKey: number,
  filter: RowFilter,
  range: { after: number; upTo: number },
  limit: number,
): Promise<number[]> {
  const { sql: text, values } = upwardsQuery(endpointKey, filter, range, limit);
  const rows = await sql.rows<{ seq: number }>(text, values);
  return rows.map(({ seq }) => seq);
}

export function upwardsQuery(
  endpointKey: number,
  filter: RowFilter,
  { after, upTo }: { after: number; upTo: number },
  limit: number,
): SqlQuery {
  const { sql: where, values } = condition(filter, 5, true);
  return {
    sql: `SELECT e.seq FROM events e
      WHERE e.endpoint_key = $1 AND e.seq > $2 AND e.seq <= $3${where} ORDER BY e.seq LIMIT $4`,
    values: [endpointKey, after, upTo, limit, ...values],
  };
}

/** Returns the summaries of events, newest first. Leaves out deleted events. */
export async function summariesOf(sql: Sql, places: readonly Place[]): Promise<EventSummary[]> {
  if (places.length === 0) return [];
  const rows = await sql.rows<SummaryRow>(
    `SELECT ${SUMMARY_COLUMNS} FROM ${PLACE.unnest('k')}
     JOIN events e ON e.endpoint_key = k.key AND e.seq = k.seq ORDER BY e.seq DESC`,
    PLACE.arrays(places),
  );
  return rows.map(summaryOf);
}
