import { JOBS_KEPT } from '../../../core/limits.ts';
import type { ReplayJob } from '../../contract/replays.ts';
import { stateCode } from '../../shared/codes.ts';
import {
  JOB_CANCELLED,
  JOB_QUEUED,
  type JobProgressRow,
  jobOf,
} from '../../shared/replays/job-state.ts';
import type { Sql } from '../connection/database.ts';

const COUNT = (...states: Parameters<typeof stateCode>[0][]): string =>
  `coalesce(sum(c.count) FILTER (WHERE c.state IN (${states.map(stateCode)})), 0)::bigint`;

/** Selects jobs `j` with their progress, newest first. */
const PROGRESS = (jobs: string): string => `
  SELECT j.id, j.state, j.matching, j.created_at AS "createdAt", c.queued, c.delivered, c.dead,
    c.open
  FROM (${jobs}) j CROSS JOIN LATERAL (
    SELECT coalesce(sum(c.count), 0)::bigint AS queued, ${COUNT('succeeded')} AS delivered,
      ${COUNT('dead')} AS dead, ${COUNT('pending')} AS open
    FROM replay_counts c WHERE c.job_key = j.key) c
  ORDER BY j.key DESC`;

export const JOB_PAGE = PROGRESS(`
  SELECT * FROM replay_jobs WHERE endpoint_key = $1 ORDER BY key DESC LIMIT $2 OFFSET $3`);
export const ONE_JOB = PROGRESS('SELECT * FROM replay_jobs WHERE id = $2 AND endpoint_key = $1');

/** See `ReplayStore.jobs`. */
export async function jobPage(
  sql: Sql,
  endpointKey: number,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ jobs: ReplayJob[]; total: number }> {
  const [all] = await sql.rows<{ total: number }>(
    'SELECT count(*) AS total FROM replay_jobs WHERE endpoint_key = $1',
    [endpointKey],
  );
  const rows = await sql.rows<JobProgressRow>(JOB_PAGE, [endpointKey, limit, offset]);
  return { jobs: rows.map(jobOf), total: all?.total ?? 0 };
}

export async function oneJob(
  sql: Sql,
  endpointKey: number,
  jobId: string,
): Promise<ReplayJob | null> {
  const [row] = await sql.rows<JobProgressRow>(ONE_JOB, [endpointKey, jobId]);
  return row ? jobOf(row) : null;
}

/** Returns the number of an endpoint's jobs that have open deliveries. */
export async function openJobs(sql: Sql, endpointKey: number): Promise<number> {
  const rows = await sql.rows(
    `SELECT c.job_key FROM replay_jobs j
     JOIN replay_counts c ON c.job_key = j.key AND c.state = ${stateCode('pending')}
     WHERE j.endpoint_key = $1 GROUP BY c.job_key HAVING sum(c.count) > 0`,
    [endpointKey],
  );
  return rows.length;
}

/** Removes the endpoint's finished jobs, except the newest ones. */
export async function forgetJobs(sql: Sql, endpointKey: number): Promise<void> {
  await removeRows(
    sql,
    `SELECT key FROM replay_jobs WHERE key IN (
       SELECT j.key FROM replay_jobs j
       WHERE j.endpoint_key = $1 AND j.state IN (${JOB_QUEUED}, ${JOB_CANCELLED}) AND coalesce((
         SELECT sum(c.count) FROM replay_counts c
         WHERE c.job_key = j.key AND c.state = ${stateCode('pending')}), 0) <= 0
       ORDER BY j.key DESC OFFSET ${JOBS_KEPT})`,
    endpointKey,
  );
}

/** Removes all jobs of an endpoint. */
export async function removeJobs(sql: Sql, endpointKey: number): Promise<void> {
  await removeRows(sql, 'SELECT key FROM replay_jobs WHERE endpoint_key = $1', endpointKey);
}

/** Removes jobs. It locks them first, in order, so that nobody counts their deliveries any more. */
async function removeRows(sql: Sql, jobs: string, endpointKey: number): Promise<void> {
  const rows = await sql.rows<{ key: number }>(`${jobs} ORDER BY key FOR UPDATE`, [endpointKey]);
  if (rows.length === 0) return;
  const keys = rows.map(({ key }) => key);
  await sql.run('DELETE FROM replay_jobs WHERE key = ANY($1)', [keys]);
  await sql.run('DELETE FROM replay_counts WHERE job_key = ANY($1)', [keys]);
}
