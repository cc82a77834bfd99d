import type { Database } from 'better-sqlite3';

/** A query holds at most 500 parts. More destinations share parts, which then are sorted. */
const MOST_PARTS = 100;

/** Whether the event has an open delivery. Most events show by their own row that they have none. */
export const IS_WAITING = ` AND (e.open > 0 OR e.counted_from NOTNULL)
  AND EXISTS (SELECT 1 FROM destinations d CROSS JOIN open_deliveries o
    ON o.destination_key = d.key AND o.event_seq = e.seq WHERE d.endpoint_key = e.endpoint_key)`;

export interface SeqRange {
  first: number;
  last: number;
}

/** SQL with its values. A condition is on `events e`, and is empty or starts with ` AND`. */
interface SqlPart {
  sql: string;
  values: (string | number)[];
}

/**
 * Returns a query for the sequence numbers (`seq`) of an endpoint’s events with open deliveries.
 * The deliveries of each destination are in sequence by their primary key. With an order by `seq`,
 * SQLite merges the destinations and reads no further than the limit. So an index of open
 * deliveries by event, which each capture would have to write, isn’t needed.
 */
function waitingQuery(
  db: Database,
  endpointKey: number,
  { first, last }: SeqRange,
  { sql, values }: SqlPart,
): SqlPart {
  const keys = db
    .prepare<[number], number>(`
      SELECT d.key FROM destinations d WHERE d.endpoint_key = ?
        AND EXISTS (SELECT 1 FROM open_deliveries o WHERE o.destination_key = d.key)`)
    .pluck()
    .all(endpointKey);
  const parts = Object.values(Object.groupBy(keys, (_, i) => String(i % MOST_PARTS))).map(
    (of = []) => `
      SELECT DISTINCT w.event_seq AS seq FROM open_deliveries w
      ${sql === '' ? '' : 'CROSS JOIN events e ON e.endpoint_key = w.endpoint_key AND e.seq = w.event_seq'}
      WHERE w.destination_key ${of.length === 1 ? `= ${of[0]}` : `IN (${of.join()})`}
        AND w.event_seq BETWEEN ? AND ?${sql}`,
  );
  if (parts.length === 0) return { sql: 'SELECT 0 AS seq WHERE 0', values: [] };
  return { sql: parts.join(' UNION '), values: parts.flatMap(() => [first, last, ...values]) };
}

export function waitingSeqs(
  db: Database,
  endpointKey: number,
  range: SeqRange,
  condition: SqlPart,
  page: { limit: number; offset: number },
): number[] {
  const { sql, values } = waitingQuery(db, endpointKey, range, condition);
  return db
    .prepare<unknown[], number>(`${sql} ORDER BY seq DESC LIMIT ? OFFSET ?`)
    .pluck()
    .all(...values, page.limit, page.offset);
}

export function countWaiting(
  db: Database,
  endpointKey: number,
  condition: SqlPart,
): SeqRange & { total: number } {
  const all = { first: 0, last: Number.MAX_SAFE_INTEGER };
  const { sql, values } = waitingQuery(db, endpointKey, all, condition);
  return db
    .prepare<unknown[], SeqRange & { total: number }>(`
      SELECT count(*) AS total, coalesce(min(seq), 0) AS first, coalesce(max(seq), 0) AS last
      FROM (${sql})`)
    .get(...values) as SeqRange & { total: number };
}
