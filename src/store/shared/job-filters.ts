import type { Logger } from '../../core/runtime.ts';
import type { EventFilter } from '../contract/events.ts';

/** Reads the filters of replay jobs, as they are stored. */
export class JobFilters {
  /** Jobs whose filter can't be read: left for the operator to look at, and passed over. */
  readonly unreadable = new Set<string>();
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Null for a damaged one, which is logged once. */
  read(job: { id: string; filter: string }): EventFilter | null {
    try {
      const filter: unknown = JSON.parse(job.filter);
      if (typeof filter === 'object' && filter !== null) return filter;
      throw new Error('its filter is no object');
    } catch (error) {
      this.unreadable.add(job.id);
      this.#log.error('a replay of many events cannot be read; it is passed over', {
        job: job.id,
        error,
      });
      return null;
    }
  }
}
