import type { ClaimTerms, NewDeliveries } from './claims.ts';
import type { EventFilter } from './events.ts';

export interface ReplayStore {
  /**
   * Starts a new round for one event: deliveries to all destinations that the endpoint has
   * now and whose filter didn't drop the event at its capture, claimed as in
   * `appendBatch`. Open deliveries of older rounds to the same destinations become
   * `cancelled`. Null when the event is gone.
   */
  replay(
    endpointKey: number,
    seq: number,
    now: number,
    terms: ClaimTerms,
  ): Promise<ReplayResult | null>;
  /** How many events `startJob` would replay now. */
  count(endpointKey: number, filter: EventFilter, signal?: AbortSignal): Promise<number>;
  /**
   * Queues a bulk replay, a durable job that `workOff` works off. It covers the events
   * captured until now; each is replayed if it matches `filter` when its turn comes.
   * Returns how many match now. If the endpoint has an open job with the same filter,
   * that job starts over at the newest event instead. Throws `limit_reached` if the
   * account has `most` open jobs.
   */
  startJob(
    job: { id: string; endpointKey: number; filter: EventFilter; now: number },
    most: number,
    signal?: AbortSignal,
  ): Promise<number>;
  /**
   * Replays the next events of one job and moves the job's position past them,
   * atomically: a crash neither skips nor repeats an event. Accounts take turns; within
   * an account, the oldest job is first. The deliveries stay due in the table,
   * unclaimed. Null when no job is left.
   */
  workOff(now: number, slice: ReplaySlice): Promise<{ unclaimed: Set<number> } | null>;
}

/** Limits of one slice. It replays at least one event, however many deliveries that has. */
export interface ReplaySlice {
  events: number;
  deliveries: number;
}

export interface ReplayResult extends NewDeliveries {
  /** How many deliveries the new round has. */
  deliveries: number;
}
