import type { Database } from 'better-sqlite3';
import { HOUR_MS } from '../../../core/text/duration.ts';
import type { AttemptActivity, EventActivity, HourWindow } from '../../contract/events.ts';
import { statusOf } from '../../shared/codes.ts';
import {
  LONGEST_ATTEMPT_MS,
  MAX_ATTEMPTS_SCANNED,
  noEvents,
} from '../../shared/overview/activity.ts';

/** How many attempts are read between two yields. */
const SLICE_ROWS = 20_000;

/**
 * Counts an endpoint's events by status and by hour, without reading events' rows. The SQL casts to
 * INTEGER because the driver binds numbers as reals.
 */
export function eventActivity(
  db: Database,
  endpointKey: number,
  { from, hours }: HourWindow,
): EventActivity {
  const { totals, received } = noEvents(hours);
  const counted = db.prepare<[number], { status: number; count: number }>(
    'SELECT status, count FROM event_counts WHERE endpoint_key = ?',
  );
  for (const { status, count } of counted.all(endpointKey)) totals[statusOf(status)] = count;
  const byHour = db.prepare<number[], { hour: number; count: number }>(`
    SELECT CAST((received_at - ?) / ${HOUR_MS} AS INTEGER) AS hour, count(*) AS count
    FROM events INDEXED BY events_by_time
    WHERE endpoint_key = ? AND received_at >= ? AND received_at < ? GROUP BY hour`);
  const to = from + hours * HOUR_MS;
  for (const { hour, count } of byHour.all(from, endpointKey, from, to)) received[hour] = count;
  return { totals, received };
}

/**
 * Reads attempts slice by slice, from the newest back. Attempts have no index by endpoint and time,
 * because every attempt would have to write it and people seldom need it.
 */
export function* attemptActivity(
  db: Database,
  endpointKey: number,
  { from, hours }: HourWindow,
): Generator<void, AttemptActivity[]> {
  const to = from + hours * HOUR_MS;
  const newestUpTo = db.prepare<[number], { seq: number; attemptedAt: number }>(`
    SELECT seq, attempted_at AS attemptedAt FROM attempts WHERE seq <= ? ORDER BY seq DESC LIMIT 1`);
  const slice = db.prepare<number[], AttemptActivity>(`
    SELECT d.id AS destinationId, CAST((a.attempted_at - ?) / ${HOUR_MS} AS INTEGER) AS hour,
      sum(a.response_code BETWEEN 200 AND 299 IS TRUE) AS succeeded,
      sum(a.response_code BETWEEN 200 AND 299 IS NOT TRUE) AS failed,
      sum(a.duration_ms) AS totalMs, max(a.duration_ms) AS maxMs
    FROM attempts a NOT INDEXED CROSS JOIN destinations d ON d.key = a.destination_key
    WHERE a.seq > ? AND a.seq <= ? AND a.endpoint_key = ? AND d.removed_at IS NULL
      AND a.attempted_at >= ? AND a.attempted_at < ?
    GROUP BY a.destination_key, hour`);
  const found = new Map<string, AttemptActivity>();
  let upTo = Number.MAX_SAFE_INTEGER;
  for (let scanned = 0; scanned < MAX_ATTEMPTS_SCANNED; scanned += SLICE_ROWS) {
    const newest = newestUpTo.get(upTo);
    if (!newest || newest.attemptedAt < from - LONGEST_ATTEMPT_MS) break;
    const downTo = newest.seq - SLICE_ROWS;
    for (const part of slice.all(from, downTo, newest.seq, endpointKey, from, to)) {
      const key = `${part.destinationId} ${part.hour}`;
      const sum = found.get(key);
      if (!sum) found.set(key, part);
      else {
        sum.succeeded += part.succeeded;
        sum.failed += part.failed;
        sum.totalMs += part.totalMs;
        sum.maxMs = Math.max(sum.maxMs, part.maxMs);
      }
    }
    upTo = downTo;
    yield;
  }
  return [...found.values()].sort(
    (a, b) => a.hour - b.hour || a.destinationId.localeCompare(b.destinationId),
  );
}
