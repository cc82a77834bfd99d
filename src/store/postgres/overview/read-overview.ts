import type { Overview, OverviewWindow } from '../../contract/events.ts';
import type { Scope } from '../../contract/scope.ts';
import { statusOf } from '../../shared/codes.ts';
import { LONGEST_ATTEMPT_MS, MAX_ATTEMPTS_SCANNED } from '../../shared/overview/activity.ts';
import { AttemptSums, type CountedAttempts } from '../../shared/overview/overview.ts';
import type { Sql } from '../connection/database.ts';
import { endpointsOf } from '../endpoints/scope.ts';
import { overviewDestinations } from './overview-destinations.ts';

/** See `EventStore.overview`. */
export async function readOverview(
  sql: Sql,
  scope: Scope,
  window: OverviewWindow,
): Promise<Overview> {
  const keys = await endpointsOf(sql, scope);
  return {
    events: await eventsOf(sql, keys, window),
    lastAt: await lastAtOf(sql, keys),
    ...(await attemptsOf(sql, keys, window)),
    ...(await overviewDestinations(sql, keys)),
  };
}

const endOf = ({ from, bucketMs, buckets }: OverviewWindow): number => from + buckets * bucketMs;

async function eventsOf(
  sql: Sql,
  keys: readonly number[],
  window: OverviewWindow,
): Promise<Overview['events']> {
  const rows = await sql.rows<Omit<Overview['events'][number], 'status'> & { status: number }>(
    `SELECT p.id AS "endpointId", c.bucket, c.status, c.count FROM (
       SELECT e.endpoint_key, ((e.received_at - $2) / $4)::integer AS bucket, e.status,
         count(*) AS count
       FROM events e
       WHERE e.endpoint_key = ANY($1) AND e.received_at >= $2 AND e.received_at < $3
       GROUP BY 1, 2, 3) c
     JOIN endpoints p ON p.key = c.endpoint_key`,
    [keys, window.from, endOf(window), window.bucketMs],
  );
  return rows.map((row) => ({ ...row, status: statusOf(row.status) }));
}

/** Returns when each endpoint received its last event. */
function lastAtOf(sql: Sql, keys: readonly number[]): Promise<Overview['lastAt']> {
  return sql.rows(
    `SELECT p.id AS "endpointId", l.at FROM endpoints p CROSS JOIN LATERAL (
       SELECT e.received_at AS at FROM events e WHERE e.endpoint_key = p.key
       ORDER BY e.received_at DESC LIMIT 1) l
     WHERE p.key = ANY($1)`,
    [keys],
  );
}

/** Scans the newest attempts, like `attemptActivity`. */
async function attemptsOf(
  sql: Sql,
  keys: readonly number[],
  window: OverviewWindow,
): Promise<Pick<Overview, 'attempts' | 'allAttempts' | 'sampled'>> {
  const rows = await sql.rows<CountedAttempts>(
    `SELECT ((a.attempted_at - $2) / $4)::integer AS bucket,
       (a.response_code BETWEEN 200 AND 299) IS TRUE AS succeeded,
       a.duration_ms AS "durationMs", count(*) AS count
     FROM attempts a
     WHERE a.seq > (SELECT coalesce(max(seq), 0) FROM attempts) - ${MAX_ATTEMPTS_SCANNED}
       AND a.endpoint_key = ANY($1) AND a.attempted_at >= $2 AND a.attempted_at < $3
     GROUP BY 1, 2, 3`,
    [keys, window.from, endOf(window), window.bucketMs],
  );
  const [older] = await sql.rows<{ at: number }>(
    `SELECT attempted_at AS at FROM attempts
     WHERE seq <= (SELECT coalesce(max(seq), 0) FROM attempts) - ${MAX_ATTEMPTS_SCANNED}
     ORDER BY seq DESC LIMIT 1`,
  );
  const sums = new AttemptSums();
  for (const row of rows) sums.add(row);
  const sampled = older !== undefined && older.at >= window.from - LONGEST_ATTEMPT_MS;
  return { attempts: sums.attempts, allAttempts: sums.allAttempts, sampled };
}
