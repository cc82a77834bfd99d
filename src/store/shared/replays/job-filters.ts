import type { Logger } from '../../../core/runtime/runtime.ts';
import type { EventFilter } from '../../contract/events.ts';
import type { NewReplayJob } from '../../contract/replays.ts';
import { Columns, type RowOf } from '../columns.ts';
import type { ReplayMode } from './replayed-event.ts';

/** The columns of `replay_jobs` that a job needs to run. */
export const JOB = new Columns({
  key: 'bigint',
  id: 'text',
  userId: 'text',
  endpointKey: 'bigint',
  filter: 'text',
  destinations: 'text?',
  afterSeq: 'bigint',
  upperSeq: 'bigint',
});
export type JobRow = RowOf<typeof JOB>;

/** Where the events of a job go. */
export interface JobChoice {
  mode: ReplayMode;
  /** Ids of the destinations that the job is limited to; null for all. */
  ids: readonly string[] | null;
}

export interface JobTurn {
  job: JobRow;
  filter: EventFilter;
  choice: JobChoice;
}

/** Reads the stored filters and destinations of bulk replays. */
export class JobFilters {
  /**
   * The ids of damaged jobs. The store skips them, and leaves them in the table for the operator.
   */
  readonly unreadable = new Set<string>();
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Returns a job's filter and destinations. Logs a damaged job once and returns null. */
  read(job: JobRow): JobTurn | null {
    try {
      const filter: unknown = JSON.parse(job.filter);
      const ids: unknown = job.destinations === null ? null : JSON.parse(job.destinations);
      if (typeof filter !== 'object' || filter === null) {
        throw new Error('the filter is not an object');
      }
      if (!areIds(ids)) throw new Error('the destinations are not a list of ids');
      return { job, filter, choice: choiceOf(filter, ids) };
    } catch (error) {
      this.unreadable.add(job.id);
      this.#log.error('a bulk replay is damaged and is skipped', { job: job.id, error });
      return null;
    }
  }
}

/** Returns a new job's filter and destinations in the form that `JobFilters` reads. */
export function storedFilter({ filter, destinationIds }: NewReplayJob) {
  return {
    filter: JSON.stringify(filter),
    destinations: destinationIds ? JSON.stringify([...new Set(destinationIds)].sort()) : null,
  };
}

/** Returns the ids of the destinations that a new job names. */
export function namedBy({ filter, destinationIds = [] }: NewReplayJob): string[] {
  return filter.filteredBy ? [...destinationIds, filter.filteredBy] : [...destinationIds];
}

function choiceOf({ filteredBy }: EventFilter, ids: string[] | null): JobChoice {
  if (filteredBy !== undefined) return { mode: 'filtered', ids: [filteredBy] };
  return { mode: ids === null ? 'all' : 'some', ids };
}

function areIds(value: unknown): value is string[] | null {
  return value === null || (Array.isArray(value) && value.every((one) => typeof one === 'string'));
}
