import type { EventSummary } from '../../../core/model.ts';
import type { EventFilter, EventPage } from '../../contract/events.ts';
import { statusCode } from '../../shared/codes.ts';
import type { Sql } from '../connection/database.ts';
import { SUMMARY_COLUMNS, type SummaryRow, summaryOf } from './event-summary.ts';

/** A filter without `q`, which needs bodies. */
export type RowFilter = Omit<EventFilter, 'q'>;

export interface Condition {
  /** Condition on `events e`: starts with ` AND`, or is empty. */
  sql: string;
  values: (string | number)[];
}

/**
 * @param first the number of the condition's first parameter
 * @param walk whether rows are read in sequence. The condition then keeps the planner
 *   off the index by time, whose rows it would have to sort
 */
export function condition(filter: RowFilter, first: number, walk: boolean): Condition {
  const time = walk ? '(e.received_at + 0)' : 'e.received_at';
  const parts: [string, string | number | undefined][] = [
    ['e.status =', filter.status && statusCode(filter.status)],
    ['e.method =', filter.method?.replaceAll('\0', '\ufffd')],
    [`${time} >=`, filter.from],
    [`${time} <`, filter.to],
  ];
  const used = parts.filter((part): part is [string, string | number] => part[1] !== undefined);
  return {
    sql: used.map(([sql], i) => ` AND ${sql} $${first + i}`).join(''),
    values: used.map(([, value]) => value),
  };
}

interface Extent {
  total: number;
  first: number;
  last: number;
}

/**
 * Returns the number of matching events and the range of sequence numbers that holds
 * them. The number comes from the counters without a filter or with a status alone;
 * otherwise the events are counted.
 */
async function extent(sql: Sql, endpointKey: number, filter: RowFilter): Promise<Extent> {
  const { status, method, from, to } = filter;
  if (method === undefined && from === undefined && to === undefined) {
    const [row] = await sql.rows<{ total: number }>(
      `SELECT coalesce(sum(count), 0)::bigint AS total FROM event_counts
       WHERE endpoint_key = $1${status ? ' AND status = $2' : ''}`,
      status ? [endpointKey, statusCode(status)] : [endpointKey],
    );
    return { total: row?.total ?? 0, first: 0, last: Number.MAX_SAFE_INTEGER };
  }
  const { sql: where, values } = condition(filter, 2, false);
  const [row] = await sql.rows<Extent>(
    `SELECT count(*) AS total, coalesce(min(e.seq), 0) AS first, coalesce(max(e.seq), 0) AS last
     FROM events e WHERE e.endpoint_key = $1${where}`,
    [endpointKey, ...values],
  );
  return row as Extent;
}

/** Whether the endpoint exists. A deleted one has no events, even while its rows remain. */
export async function endpointExists(sql: Sql, endpointKey: number): Promise<boolean> {
  const rows = await sql.rows('SELECT 1 FROM endpoints WHERE key = $1 AND deleted_at IS NULL', [
    endpointKey,
  ]);
  return rows.length > 0;
}

export async function countEvents(
  sql: Sql,
  endpointKey: number,
  filter: RowFilter,
): Promise<number> {
  return (await extent(sql, endpointKey, filter)).total;
}

/**
 * One page, newest first by sequence, and the exact total. In a snapshot both are of one
 * moment.
 */
export async function pageOfEvents(
  sql: Sql,
  endpointKey: number,
  filter: RowFilter,
  window: { offset: number; limit: number },
): Promise<EventPage> {
  const { total, first, last } = await extent(sql, endpointKey, filter);
  if (window.offset >= total) return { events: [], total };
  const { sql: where, values } = condition(filter, 6, true);
  const rows = await sql.rows<SummaryRow>(
    `SELECT ${SUMMARY_COLUMNS} FROM (
       SELECT e.* FROM events e
       WHERE e.endpoint_key = $1 AND e.seq BETWEEN $2 AND $3${where}
       ORDER BY e.seq DESC LIMIT $4 OFFSET $5) e
     ORDER BY e.seq DESC`,
    [endpointKey, first, last, window.limit, window.offset, ...values],
  );
  return { events: rows.map(summaryOf), total };
}

/** Sequence numbers of matching events up to `upTo`, newest first, at most `limit`. */
export async function matchingSeqs(
  sql: Sql,
  endpointKey: number,
  filter: RowFilter,
  upTo: number,
  limit: number,
): Promise<number[]> {
  const { sql: where, values } = condition(filter, 4, true);
  const rows = await sql.rows<{ seq: number }>(
    `SELECT e.seq FROM events e WHERE e.endpoint_key = $1 AND e.seq <= $2${where}
     ORDER BY e.seq DESC LIMIT $3`,
    [endpointKey, upTo, limit, ...values],
  );
  return rows.map(({ seq }) => seq);
}

/** Summaries of the given events, newest first, without events that are gone. */
export async function summariesOf(
  sql: Sql,
  endpointKey: number,
  seqs: number[],
): Promise<EventSummary[]> {
  if (seqs.length === 0) return [];
  const rows = await sql.rows<SummaryRow>(
    `SELECT ${SUMMARY_COLUMNS} FROM events e
     WHERE e.endpoint_key = $1 AND e.seq = ANY($2) ORDER BY e.seq DESC`,
    [endpointKey, seqs],
  );
  return rows.map(summaryOf);
}
