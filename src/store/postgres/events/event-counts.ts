import { statusCode } from '../../shared/codes.ts';
import type { CountChanges } from '../../shared/events/count-changes.ts';
import { EVENT_COUNT } from '../../shared/events/event-columns.ts';
import type { Sql } from '../connection/database.ts';

/** The number of rows that share an endpoint's count of one status. */
const SLOTS = 32;

/**
 * Adds changes to the counters, which are exact at every commit. Call it last in a transaction, so
 * that it locks the counters' rows only during the commit. All transactions lock the rows in the
 * same order, which prevents deadlocks. Connections usually use different slots, so they rarely
 * wait for each other.
 */
export async function applyCounts(sql: Sql, changes: CountChanges): Promise<void> {
  const rows = [...changes.byEndpoint].flatMap(([endpointKey, byStatus]) =>
    [...byStatus].map(([status, count]) => ({ endpointKey, status: statusCode(status), count })),
  );
  const changed = rows.filter(({ count }) => count !== 0);
  if (changed.length === 0) return;
  await sql.run(
    `INSERT INTO event_counts (${EVENT_COUNT.names}, slot)
     SELECT c.*, pg_backend_pid() % ${SLOTS} FROM ${EVENT_COUNT.unnest('c')}
     ORDER BY c.endpoint_key, c.status
     ON CONFLICT (endpoint_key, status, slot)
     DO UPDATE SET count = event_counts.count + excluded.count`,
    EVENT_COUNT.arrays(changed),
    'counts',
  );
}
