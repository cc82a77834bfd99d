import { statusCode } from '../../shared/codes.ts';
import type { CountChanges } from '../../shared/count-changes.ts';
import type { Sql } from '../connection/database.ts';

/** Rows over which an endpoint's count of a status is spread. */
const SLOTS = 32;

/**
 * Adds to the counters, which are exact at every commit. Call it last in a transaction,
 * so that the counters' rows are locked only during the commit. The rows are locked in
 * one order, so that no two transactions deadlock. Connections usually have different
 * slots, so that they rarely wait.
 */
export async function applyCounts(sql: Sql, changes: CountChanges): Promise<void> {
  const endpoints: number[] = [];
  const statuses: number[] = [];
  const counts: number[] = [];
  for (const [endpointKey, byStatus] of changes.byEndpoint) {
    for (const [status, change] of byStatus) {
      if (change === 0) continue;
      endpoints.push(endpointKey);
      statuses.push(statusCode(status));
      counts.push(change);
    }
  }
  if (counts.length === 0) return;
  await sql.run(
    `INSERT INTO event_counts (endpoint_key, status, slot, count)
     SELECT c.endpoint_key, c.status, pg_backend_pid() % ${SLOTS}, c.count
     FROM unnest($1::bigint[], $2::smallint[], $3::bigint[]) AS c(endpoint_key, status, count)
     ORDER BY 1, 2
     ON CONFLICT (endpoint_key, status, slot)
     DO UPDATE SET count = event_counts.count + excluded.count`,
    [endpoints, statuses, counts],
    'counts',
  );
}
