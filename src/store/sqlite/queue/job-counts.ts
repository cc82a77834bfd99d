import type { Database, Statement } from 'better-sqlite3';
import { stateCode } from '../../shared/codes.ts';
import type { JobChanges } from '../../shared/queue/job-changes.ts';

/** Counts the deliveries of each job by state, in the transactions that change them. */
export class JobCounts {
  readonly #add: Statement<[number, number, number]>;

  constructor(db: Database) {
    // A deleted job isn't counted.
    this.#add = db.prepare(`
      INSERT INTO replay_counts (job_key, state, count)
      SELECT key, ?, ? FROM replay_jobs WHERE key = ?
      ON CONFLICT (job_key, state) DO UPDATE SET count = count + excluded.count`);
  }

  apply({ byJob }: JobChanges): void {
    for (const [jobKey, counts] of byJob) {
      for (const [state, count] of counts) {
        if (count !== 0) this.#add.run(stateCode(state), count, jobKey);
      }
    }
  }
}
