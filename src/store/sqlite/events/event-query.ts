import type { Database } from 'better-sqlite3';
import type { EventSummary } from '../../../core/model.ts';
import { VERIFICATION_STATE } from '../../../core/proof/verification.ts';
import { MAX_TYPED_BODY_BYTES } from '../../../core/rules/request-parts.ts';
import type { EventPage } from '../../contract/events.ts';
import { statusCode } from '../../shared/codes.ts';
import { type SummaryRow, summaryOf } from '../../shared/events/summary-rows.ts';
import type { Place } from '../../shared/search/newest-matches.ts';
import type { RowFilter } from '../../shared/search/searches.ts';
import { SUMMARY_COLUMNS } from './summary-columns.ts';
import { countWaiting, IS_WAITING, waitingSeqs } from './waiting-events.ts';

export interface SqliteEventCondition {
  /** A condition on `events e`. It starts with ` AND`, or is empty. */
  sql: string;
  values: (string | number)[];
}

/**
 * Returns the condition of a filter.
 *
 * @param walk whether rows are read in order of their sequence numbers. SQLite then must not use
 * the index by time, because it would have to sort the rows
 */
export function condition(filter: RowFilter, walk: boolean): SqliteEventCondition {
  const time = walk ? '+e.received_at' : 'e.received_at';
  const parts: [string, string | number | undefined][] = [
    [
      filter.status === 'delivered' ? 'e.status = ?' : `${HAS_STATUS_INDEX} AND e.status = ?`,
      filter.status && statusCode(filter.status),
    ],
    ['e.method = ?', filter.method],
    ['e.seq > ?', filter.after],
    ['e.seq < ?', filter.before],
    [`${time} >= ?`, filter.from],
    [`${time} < ?`, filter.to],
    [FILTERED_BY, filter.filteredBy],
    [
      filter.verification === 'unverified' ? UNVERIFIED : 'e.verification = ?',
      filter.verification && VERIFICATION_STATE.code(filter.verification),
    ],
  ];
  if (typeof filter.headerType === 'string') parts.push(['e.event_type = ?', filter.headerType]);
  const used = parts.filter((part): part is [string, string | number] => part[1] !== undefined);
  const mayBeInBody = filter.headerType === null ? UNTYPED : '';
  const repeats = filter.duplicates ? REPEATS[filter.duplicates] : '';
  const waiting = filter.waiting ? IS_WAITING : '';
  return {
    sql: used.map(([sql]) => ` AND ${sql}`).join('') + mayBeInBody + repeats + waiting,
    values: used.map(([, value]) => value),
  };
}

/**
 * Whether `events_by_status` has the event. Most events are delivered, and a walk in sequence soon
 * finds a page of these. A statement must say this to use the index.
 */
export const HAS_STATUS_INDEX = `e.status <> ${statusCode('delivered')}`;

/** Whether the destination's filter dropped the event (`shared/events/filtered-events.ts`). */
const FILTERED_BY = `EXISTS (SELECT 1 FROM filtered_events f
  CROSS JOIN json_each(f.dropped) j
  CROSS JOIN destinations d ON d.key = j.value ->> 1
  WHERE f.endpoint_key = e.endpoint_key AND f.event_seq = e.seq AND d.id = ?)`;

/** A request that nobody checked may have no verification. */
const UNVERIFIED = 'coalesce(e.verification, 0) = ?';

const REPEATS = {
  only: ' AND e.duplicate_of IS NOT NULL',
  hide: ' AND e.duplicate_of IS NULL',
};

/** Whether the event has no type in its headers and may have one in its body. */
const UNTYPED = ` AND e.event_type IS NULL AND e.size <= ${MAX_TYPED_BODY_BYTES}`;

/** Returns the condition of a filter, for queries that find only events with open deliveries. */
function besideWaiting({ waiting: _, ...others }: RowFilter): SqliteEventCondition {
  return condition(others, true);
}

/** The number of matching events, and the range of their sequence numbers. */
interface Extent {
  total: number;
  first: number;
  last: number;
}

/**
 * Returns the extent of the matching events. Without a filter, or with only a status, it uses the
 * counters. With only times, it uses the index by time. That index must give the range too, because
 * a later event may have an earlier time.
 */
function extent(db: Database, endpointKey: number, filter: RowFilter): Extent {
  if (filter.waiting) return countWaiting(db, endpointKey, besideWaiting(filter));
  const {
    status,
    method,
    from,
    to,
    headerType,
    filteredBy,
    verification,
    duplicates,
    after,
    before,
  } = filter;
  const isByTime = from !== undefined || to !== undefined;
  const isByRest = [method, headerType, filteredBy, verification, duplicates, after, before].some(
    (part) => part !== undefined,
  );
  if (!isByRest && !isByTime) {
    const total = db
      .prepare<unknown[], number>(`
        SELECT coalesce(sum(count), 0) FROM event_counts
        WHERE endpoint_key = ?${status ? ' AND status = ?' : ''}`)
      .pluck()
      .get(...(status ? [endpointKey, statusCode(status)] : [endpointKey])) as number;
    return { total, first: 0, last: Number.MAX_SAFE_INTEGER };
  }
  const { sql, values } = condition(filter, false);
  const onlyTime = status === undefined && !isByRest;
  const { status: _, ...unordered } = filter;
  const walk = walkFor(unordered);
  return db
    .prepare<unknown[], Extent>(`
      SELECT count(*) AS total, coalesce(min(e.seq), 0) AS first, coalesce(max(e.seq), 0) AS last
      FROM ${onlyTime ? 'events e INDEXED BY events_by_time' : walk.from}
      WHERE ${walk.key} = ?${sql}`)
    .get(endpointKey, ...values) as Extent;
}

/**
 * Tables with `events e` that are read in sequence, and the columns for a place in the sequence.
 */
interface Walk {
  from: string;
  key: string;
  seq: string;
}

const IN_SEQUENCE = { key: 'e.endpoint_key', seq: 'e.seq' };
/** The events that some filter dropped. An endpoint may have few of them. */
const IN_DROPS: Walk = {
  from: `filtered_events w
    CROSS JOIN events e ON e.endpoint_key = w.endpoint_key AND e.seq = w.event_seq`,
  key: 'w.endpoint_key',
  seq: 'w.event_seq',
};

/** Returns the tables whose index has the fewest rows. */
function walkFor(filter: RowFilter): Walk {
  if (filter.filteredBy !== undefined) return IN_DROPS;
  const index = indexFor(filter);
  return { ...IN_SEQUENCE, from: `events e ${index ? `INDEXED BY ${index}` : ''}` };
}

function indexFor({ status, verification, duplicates }: RowFilter): string | null {
  if (duplicates === 'only') return 'events_duplicate';
  if (status !== undefined && status !== 'delivered') return 'events_by_status';
  // This index has only events whose verification was checked.
  if (verification !== undefined && verification !== 'unverified') return 'events_by_verification';
  return null;
}

/** Returns false for a deleted endpoint, even while rows of its events remain. */
export function endpointExists(db: Database, endpointKey: number): boolean {
  const alive = db.prepare('SELECT 1 FROM endpoints WHERE key = ? AND deleted_at IS NULL');
  return alive.get(endpointKey) !== undefined;
}

export function countEvents(db: Database, endpointKey: number, filter: RowFilter): number {
  return extent(db, endpointKey, filter).total;
}

/** Returns a page, newest first, and the exact total. Both are from one transaction. */
export function pageOfEvents(
  db: Database,
  endpointKey: number,
  filter: RowFilter,
  window: { offset: number; limit: number },
): EventPage {
  const { total, first, last } = extent(db, endpointKey, filter);
  if (window.offset >= total) return { events: [], total };
  // A walk without a fitting index ends with the last match.
  const limit = Math.min(window.limit, total - window.offset);
  if (filter.waiting) {
    const page = { limit, offset: window.offset };
    const seqs = waitingSeqs(db, endpointKey, { first, last }, besideWaiting(filter), page);
    return {
      events: summariesOf(
        db,
        seqs.map((seq) => ({ key: endpointKey, seq })),
      ),
      total,
    };
  }
  const { sql, values } = condition(filter, true);
  const { from, key, seq } = walkFor(filter);
  const rows = db
    .prepare<unknown[], SummaryRow>(`
      SELECT ${SUMMARY_COLUMNS} FROM ${from}
      WHERE ${key} = ? AND ${seq} BETWEEN ? AND ?${sql}
      ORDER BY ${seq} DESC LIMIT ? OFFSET ?`)
    .all(endpointKey, first, last, ...values, limit, window.offset);
  return { events: rows.map(summaryOf), total };
}

/** Returns sequence numbers of matches up to `upTo`, newest first. */
export function matchingSeqs(
  db: Database,
  endpointKey: number,
  filter: RowFilter,
  upTo: number,
  limit: number,
): number[] {
  if (filter.waiting) {
    const range = { first: 0, last: upTo };
    return waitingSeqs(db, endpointKey, range, besideWaiting(filter), { limit, offset: 0 });
  }
  const { sql, values } = condition(filter, true);
  const { from, key, seq } = walkFor(filter);
  return db
    .prepare<unknown[], number>(`
      SELECT e.seq FROM ${from} WHERE ${key} = ? AND ${seq} <= ?${sql}
      ORDER BY ${seq} DESC LIMIT ?`)
    .pluck()
    .all(endpointKey, upTo, ...values, limit);
}

/** Returns sequence numbers of matches from `after` (exclusive) to `upTo`, oldest first. */
export function matchingSeqsAfter(
  db: Database,
  endpointKey: number,
  filter: RowFilter,
  { after, upTo }: { after: number; upTo: number },
  limit: number,
): number[] {
  const { sql, values } = condition(filter, true);
  const { from, key, seq } = walkFor(filter);
  return db
    .prepare<unknown[], number>(`
      SELECT e.seq FROM ${from} WHERE ${key} = ? AND ${seq} > ? AND ${seq} <= ?${sql}
      ORDER BY ${seq} LIMIT ?`)
    .pluck()
    .all(endpointKey, after, upTo, ...values, limit);
}

/** Returns summaries of events, newest first. Omits events that are gone. */
export function summariesOf(db: Database, places: readonly Place[]): EventSummary[] {
  return db
    .prepare<[string], SummaryRow>(`
      SELECT ${SUMMARY_COLUMNS} FROM json_each(?) j
      CROSS JOIN events e ON e.endpoint_key = j.value ->> 'key' AND e.seq = j.value ->> 'seq'
      ORDER BY e.seq DESC`)
    .all(JSON.stringify(places))
    .map(summaryOf);
}
