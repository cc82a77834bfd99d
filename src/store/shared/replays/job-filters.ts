import type { Logger } from '../../../core/runtime/runtime.ts';
import type { EventFilter } from '../../contract/events.ts';

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
      this.#skip(job, error);
      return null;
    }
  }

  /** The job's only destinations; null for all. Undefined where damaged, which is logged once. */
  destinationIds(job: { id: string; destinations: string | null }): string[] | null | undefined {
    if (job.destinations === null) return null;
    try {
      const ids: unknown = JSON.parse(job.destinations);
      if (Array.isArray(ids) && ids.every((id) => typeof id === 'string')) return ids;
      throw new Error('the destinations are not a list of ids');
    } catch (error) {
      this.#skip(job, error);
      return undefined;
    }
  }

  #skip({ id }: { id: string }, error: unknown): void {
    this.unreadable.add(id);
    this.#log.error('a bulk replay cannot be read; it is skipped', { job: id, error });
  }
}
