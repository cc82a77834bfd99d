import type { Database } from 'better-sqlite3';
import type { Overview, OverviewWindow } from '../../contract/events.ts';
import { LONGEST_ATTEMPT_MS, MAX_ATTEMPTS_SCANNED } from '../../shared/overview/activity.ts';
import { AttemptSums } from '../../shared/overview/overview.ts';

/** How many attempts are read between two yields. */
const SLICE_ROWS = 20_000;

interface Row {
  bucket: number;
  succeeded: number;
  durationMs: number;
  count: number;
}

/** Reads attempts slice by slice, from the newest back, as `attemptActivity` does. */
export function* overviewAttempts(
  db: Database,
  endpointKeys: readonly number[],
  { from, bucketMs, buckets }: OverviewWindow,
): Generator<void, Pick<Overview, 'attempts' | 'allAttempts' | 'sampled'>> {
  const newestUpTo = db.prepare<[number], { seq: number; attemptedAt: number }>(`
    SELECT seq, attempted_at AS attemptedAt FROM attempts WHERE seq <= ? ORDER BY seq DESC LIMIT 1`);
  const slice = db.prepare<unknown[], Row>(`
    SELECT CAST((a.attempted_at - @from) / @bucketMs AS INTEGER) AS bucket,
      a.response_code BETWEEN 200 AND 299 IS TRUE AS succeeded, a.duration_ms AS durationMs,
      count(*) AS count
    FROM attempts a NOT INDEXED
    WHERE a.seq > @downTo AND a.seq <= @upTo
      AND a.attempted_at >= @from AND a.attempted_at < @to
      AND a.endpoint_key IN (SELECT value FROM json_each(@keys))
    GROUP BY 1, 2, 3`);
  const keys = JSON.stringify(endpointKeys);
  const to = from + buckets * bucketMs;
  const sums = new AttemptSums();
  let upTo = Number.MAX_SAFE_INTEGER;
  let sampled = true;
  for (let scanned = 0; scanned < MAX_ATTEMPTS_SCANNED; scanned += SLICE_ROWS) {
    const newest = newestUpTo.get(upTo);
    if (!newest || newest.attemptedAt < from - LONGEST_ATTEMPT_MS) {
      sampled = false;
      break;
    }
    const downTo = newest.seq - SLICE_ROWS;
    for (const row of slice.all({ from, to, bucketMs, downTo, upTo: newest.seq, keys })) {
      sums.add({ ...row, succeeded: row.succeeded === 1 });
    }
    upTo = downTo;
    yield;
  }
  return { attempts: sums.attempts, allAttempts: sums.allAttempts, sampled };
}
