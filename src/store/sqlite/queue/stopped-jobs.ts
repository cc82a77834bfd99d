import type { Database } from 'better-sqlite3';
import { JOB_CANCELLING } from '../../shared/replays/job-state.ts';
import type { OpenRow } from './open-deliveries.ts';

/**
 * Cancelled jobs that still have open deliveries, because a cancellation takes several commits.
 * Nobody claims these deliveries. After a crash, the next start finds the jobs again.
 */
export class StoppedJobs {
  readonly #keys: Set<number>;

  constructor(db: Database) {
    const stopped = db
      .prepare<[], number>(`SELECT key FROM replay_jobs WHERE state = ${JOB_CANCELLING}`)
      .pluck();
    this.#keys = new Set(stopped.all());
  }

  has({ jobKey }: Pick<OpenRow, 'jobKey'>): boolean {
    return jobKey !== null && this.#keys.has(jobKey);
  }

  add(jobKey: number): void {
    this.#keys.add(jobKey);
  }

  delete(jobKey: number): void {
    this.#keys.delete(jobKey);
  }

  /** Returns any one of the jobs. */
  next(): number | undefined {
    const [key] = this.#keys;
    return key;
  }
}
