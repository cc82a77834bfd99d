import type { Database } from 'better-sqlite3';
import { JOB_CANCELLING } from '../../shared/replays/job-state.ts';
import type { OpenRow } from './open-deliveries.ts';

/**
 * Cancelled jobs that still have open deliveries: a cancellation takes several commits.
 * Nothing of them is claimed any more. After a restart, they are those that a crash
 * interrupted.
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

  /** One of them; undefined where there is none. */
  next(): number | undefined {
    const [key] = this.#keys;
    return key;
  }
}
