import type { Logger } from '../../core/runtime.ts';
import type { EventFilter } from '../contract/events.ts';

/** Reads the stored filters of bulk replays. */
export class JobFilters {
  /** Jobs with an unreadable filter. They are skipped, and kept for the operator to look at. */
  readonly unreadable = new Set<string>();
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Null for a damaged filter, which is logged once. */
  read(job: { id: string; filter: string }): EventFilter | null {
    try {
      const filter: unknown = JSON.parse(job.filter);
      if (typeof filter === 'object' && filter !== null) return filter;
      throw new Error('the filter is not an object');
    } catch (error) {
      this.unreadable.add(job.id);
      this.#log.error('a bulk replay cannot be read; it is skipped', {
        job: job.id,
        error,
      });
      return null;
    }
  }
}
