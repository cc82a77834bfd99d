import { stateCode } from '../../shared/codes.ts';
import { JOB_COUNT } from '../../shared/deliveries/delivery-columns.ts';
import type { JobChanges } from '../../shared/queue/job-changes.ts';
import type { Sql } from '../connection/database.ts';

/** The number of rows that share a job's count of one state. */
const SLOTS = 32;

/**
 * Adds changes to the counts of jobs, which are exact at every commit. Call it last in a
 * transaction, after `applyCounts`, because it locks counters in the same way. It also locks the
 * jobs, so that a job's removal leaves no counts behind. It skips deleted jobs.
 */
export async function applyJobCounts(sql: Sql, { byJob }: JobChanges): Promise<void> {
  const rows = [...byJob].flatMap(([jobKey, byState]) =>
    [...byState].map(([state, count]) => ({ jobKey, state: stateCode(state), count })),
  );
  const changed = rows.filter(({ count }) => count !== 0);
  if (changed.length === 0) return;
  await sql.run(
    `WITH present AS MATERIALIZED (
       SELECT key FROM replay_jobs WHERE key = ANY($1) ORDER BY key FOR KEY SHARE
     )
     INSERT INTO replay_counts (${JOB_COUNT.names}, slot)
     SELECT c.*, pg_backend_pid() % ${SLOTS} FROM ${JOB_COUNT.unnest('c', 2)}
     WHERE c.job_key IN (SELECT key FROM present)
     ORDER BY c.job_key, c.state
     ON CONFLICT (job_key, state, slot)
     DO UPDATE SET count = replay_counts.count + excluded.count`,
    [changed.map(({ jobKey }) => jobKey), ...JOB_COUNT.arrays(changed)],
    'job counts',
  );
}
