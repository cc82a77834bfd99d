import type { Database, Statement } from 'better-sqlite3';
import type { DeliveryState } from '../../../core/model.ts';
import { stateCode } from '../../shared/codes.ts';

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

  /** Counts one delivery under its new state. `before` is null for a new delivery. */
  move(jobKey: number | null, before: DeliveryState | null, after: DeliveryState): void {
    if (jobKey === null) return;
    if (before !== null) this.#add.run(stateCode(before), -1, jobKey);
    this.#add.run(stateCode(after), 1, jobKey);
  }
}
