import type { Database } from 'better-sqlite3';
import { EVENT_STATUS, type EventStatus } from '../../../core/model.ts';
import type { Overview, OverviewWindow } from '../../contract/events.ts';
import { statusCode, statusOf } from '../../shared/codes.ts';
import { HAS_STATUS_INDEX } from '../events/event-query.ts';

/** An endpoint with more events is counted one bucket at a time, otherwise in one step. */
const STEP_EVENTS = 100_000;

interface CountedEndpoint {
  key: number;
  id: string;
}

interface Extent {
  bucket: number;
  count: number;
  first: number;
  last: number;
}

/**
 * Counts the events of endpoints by bucket and status. To read few rows, it counts each bucket's
 * events by the index by time. The index by status gives the other statuses. The rest of the bucket
 * is delivered, or has the most frequent status if nothing is delivered.
 */
export function* overviewEvents(
  db: Database,
  endpoints: readonly CountedEndpoint[],
  window: OverviewWindow,
): Generator<void, Pick<Overview, 'events' | 'lastAt'>> {
  const counted = db.prepare<[number], { status: number; count: number }>(
    'SELECT status, sum(count) AS count FROM event_counts WHERE endpoint_key = ? GROUP BY status',
  );
  const newest = db
    .prepare<[number], number | null>(
      'SELECT max(received_at) FROM events INDEXED BY events_by_time WHERE endpoint_key = ?',
    )
    .pluck();
  const events: Overview['events'] = [];
  const lastAt: Overview['lastAt'] = [];
  for (const { key, id } of endpoints) {
    yield;
    const at = newest.get(key);
    if (at === null || at === undefined) continue;
    lastAt.push({ endpointId: id, at });
    if (at < window.from) continue;
    const counts = counted.all(key);
    const total = counts.reduce((sum, { count }) => sum + count, 0);
    const present = counts.filter(({ count }) => count > 0);
    const delivered = present.find(({ status }) => status === statusCode('delivered'));
    const commonest = present.reduce((a, b) => (b.count > a.count ? b : a));
    // The index by status has no delivered events, so these must be the rest.
    const rest = delivered ?? commonest;
    const indexed = present.filter((one) => one !== rest);
    for (const piece of piecesOf(window, total)) {
      yield;
      for (const { bucket, status, count } of countPiece(db, key, piece, {
        rest: statusOf(rest.status),
        indexed: indexed.map(({ status }) => statusOf(status)),
      })) {
        events.push({ endpointId: id, bucket, status, count });
      }
    }
  }
  return { events, lastAt };
}

interface Piece extends OverviewWindow {
  /** The number of the piece's first bucket. */
  offset: number;
}

function* piecesOf(window: OverviewWindow, events: number): Generator<Piece, void> {
  const size = events <= STEP_EVENTS ? window.buckets : 1;
  for (let offset = 0; offset < window.buckets; offset += size) {
    yield { ...window, offset, from: window.from + offset * window.bucketMs, buckets: size };
  }
}

function countPiece(
  db: Database,
  key: number,
  { from, bucketMs, buckets, offset }: Piece,
  { rest, indexed }: { rest: EventStatus; indexed: readonly EventStatus[] },
): { bucket: number; status: EventStatus; count: number }[] {
  const to = from + buckets * bucketMs;
  const all = db
    .prepare<number[], Extent>(`
      SELECT CAST((received_at - ?) / ? AS INTEGER) AS bucket, count(*) AS count,
        min(seq) AS first, max(seq) AS last
      FROM events INDEXED BY events_by_time
      WHERE endpoint_key = ? AND received_at >= ? AND received_at < ? GROUP BY bucket`)
    .all(from, bucketMs, key, from, to);
  if (all.length === 0) return [];
  const first = Math.min(...all.map((one) => one.first));
  const last = Math.max(...all.map((one) => one.last));
  const byStatus = db.prepare<number[], { bucket: number; count: number }>(`
    SELECT CAST((e.received_at - ?) / ? AS INTEGER) AS bucket, count(*) AS count
    FROM events e INDEXED BY events_by_status
    WHERE e.endpoint_key = ? AND ${HAS_STATUS_INDEX} AND e.status = ? AND e.seq BETWEEN ? AND ?
      AND e.received_at >= ? AND e.received_at < ? GROUP BY bucket`);
  const found: { bucket: number; status: EventStatus; count: number }[] = [];
  const left = new Map(all.map(({ bucket, count }) => [bucket, count]));
  for (const status of EVENT_STATUS.names) {
    if (!indexed.includes(status)) continue;
    const values = [from, bucketMs, key, statusCode(status), first, last, from, to];
    for (const { bucket, count } of byStatus.all(...values)) {
      found.push({ bucket: offset + bucket, status, count });
      left.set(bucket, (left.get(bucket) as number) - count);
    }
  }
  for (const [bucket, count] of left) {
    if (count > 0) found.push({ bucket: offset + bucket, status: rest, count });
  }
  return found;
}
