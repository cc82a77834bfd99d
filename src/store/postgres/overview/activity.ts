import { HOUR_MS } from '../../../core/text/duration.ts';
import type { AttemptActivity, EventActivity, HourWindow } from '../../contract/events.ts';
import { statusOf } from '../../shared/codes.ts';
import { MAX_ATTEMPTS_SCANNED, noEvents } from '../../shared/overview/activity.ts';
import type { Sql } from '../connection/database.ts';

/** Counts events from the counters and the index by time, without reading events. */
export async function eventActivity(
  sql: Sql,
  endpointKey: number,
  { from, hours }: HourWindow,
): Promise<EventActivity> {
  const { totals, received } = noEvents(hours);
  const counted = await sql.rows<{ status: number; count: number }>(
    `SELECT c.status, sum(c.count)::bigint AS count
     FROM event_counts c JOIN endpoints p ON p.key = c.endpoint_key
     WHERE c.endpoint_key = $1 AND p.deleted_at IS NULL GROUP BY c.status`,
    [endpointKey],
  );
  for (const { status, count } of counted) totals[statusOf(status)] = count;
  const byHour = await sql.rows<{ hour: number; count: number }>(
    `SELECT ((e.received_at - $2) / ${HOUR_MS})::integer AS hour, count(*) AS count
     FROM events e JOIN endpoints p ON p.key = e.endpoint_key
     WHERE e.endpoint_key = $1 AND e.received_at >= $2 AND e.received_at < $3
       AND p.deleted_at IS NULL
     GROUP BY 1`,
    [endpointKey, from, from + hours * HOUR_MS],
  );
  for (const { hour, count } of byHour) received[hour] = count;
  return { totals, received };
}

/**
 * Scans the newest attempts, because no index has them by endpoint and time. Every attempt would
 * write to such an index, only for a page that is seldom opened.
 */
export function attemptActivity(
  sql: Sql,
  endpointKey: number,
  { from, hours }: HourWindow,
): Promise<AttemptActivity[]> {
  return sql.rows<AttemptActivity>(
    `SELECT d.id AS "destinationId", ((a.attempted_at - $2) / ${HOUR_MS})::integer AS hour,
       count(*) FILTER (WHERE a.response_code BETWEEN 200 AND 299) AS succeeded,
       count(*) FILTER (WHERE (a.response_code BETWEEN 200 AND 299) IS NOT TRUE) AS failed,
       sum(a.duration_ms)::bigint AS "totalMs", max(a.duration_ms) AS "maxMs"
     FROM attempts a
     JOIN destinations d ON d.key = a.destination_key
     JOIN endpoints p ON p.key = a.endpoint_key
     WHERE a.seq > (SELECT coalesce(max(seq), 0) FROM attempts) - ${MAX_ATTEMPTS_SCANNED}
       AND a.endpoint_key = $1 AND a.attempted_at >= $2 AND a.attempted_at < $3
       AND d.removed_at IS NULL AND p.deleted_at IS NULL
     GROUP BY d.id, 2 ORDER BY 2, d.id`,
    [endpointKey, from, from + hours * HOUR_MS],
  );
}
