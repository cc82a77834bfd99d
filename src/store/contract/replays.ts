import type { ReplayJobState } from '../../core/model.ts';
import type { ClaimTerms, NewDeliveries } from './claims.ts';
import type { EventFilter } from './events.ts';

export interface ReplayStore {
  /**
   * Starts a new round for one event, and claims its deliveries as `appendBatch` does. Cancels open
   * deliveries of older rounds to the same destinations. The present `order_by` gives each delivery
   * its order key, and the delivery waits behind the others of that key.
   *
   * Returns null if the event is gone. Throws `destination_not_found` and `destination_disabled`
   * for a named destination.
   *
   * @param target default: all destinations
   */
  replay(
    endpointKey: number,
    seq: number,
    now: number,
    terms: ClaimTerms,
    target?: ReplayTarget,
  ): Promise<ReplayResult | null>;
  /** Returns how many events `startJob` would replay now. */
  count(endpointKey: number, filter: EventFilter, signal?: AbortSignal): Promise<number>;
  /**
   * Queues a bulk replay: a durable job, which `workOff` executes. The job covers the events
   * captured until now. Each event is replayed if it matches `filter` when its turn comes. If a job
   * with the same filter and destinations still queues events, that job starts again at the oldest
   * event, and no new job is made.
   *
   * Throws `limit_reached` if the account has `most` jobs that queue events, or if `JOBS_KEPT`
   * (`core/limits.ts`) jobs of the endpoint have open deliveries. Throws like `replay` for named
   * destinations.
   *
   * Deletes old jobs of the endpoint. Jobs that queue events or have open deliveries stay. Of the
   * others, the newest `JOBS_KEPT` stay.
   */
  startJob(
    job: NewReplayJob,
    most: number,
    signal?: AbortSignal,
  ): Promise<{ id: string; matching: number }>;
  /**
   * Replays the next events of one job, oldest first. The same commit moves the job's position past
   * them, so a crash neither skips nor repeats an event. The deliveries become due, but stay
   * unclaimed. Accounts take turns. Of each account, the oldest job comes first. A call may instead
   * continue a cancellation (`cancelJob`) that a crash interrupted. Returns null if no work is
   * left.
   */
  workOff(now: number, slice: ReplaySlice): Promise<{ unclaimed: Set<number> } | null>;
  /** Returns a page of an endpoint's jobs, newest first, and their exact number. */
  jobs(
    endpointKey: number,
    window: { offset: number; limit: number },
  ): Promise<{ jobs: ReplayJob[]; total: number }>;
  /** Returns null if the endpoint has no such job. */
  job(endpointKey: number, jobId: string): Promise<ReplayJob | null>;
  /**
   * Stops a job and cancels its open deliveries. Takes several commits, because there may be a
   * million. After the first commit, no delivery of the job is created or begun. A job that is over
   * doesn't change.
   *
   * Returns `freed`, the keys of destinations where the next delivery of an order key may go now.
   * Returns null if the endpoint has no such job.
   */
  cancelJob(endpointKey: number, jobId: string): Promise<{ freed: Set<number> } | null>;
}

/**
 * Where one event is replayed to.
 *
 * - `all`: the endpoint's present destinations, except disabled ones and those whose filter dropped
 *   the event at its capture. The present filter of a destination judges now if the destination is
 *   newer than the event, or if the event couldn't be judged at its capture. If the present filter
 *   can't judge the event either, the event goes to that destination. In a bulk replay, such a
 *   delivery waits for `DeliveryStore.retry` if the endpoint holds such events.
 * - `destinations`: these destinations. Their filters don't count.
 * - `url`: a one-off URL. `id` becomes the id of its row if the URL is new. Throws `limit_reached`
 *   if the endpoint has had `mostUrls` others.
 */
export type ReplayTarget =
  | { to: 'all' }
  | { to: 'destinations'; ids: readonly string[] }
  | { to: 'url'; url: string; id: string; mostUrls: number };

export interface NewReplayJob {
  id: string;
  endpointKey: number;
  /**
   * Which events to replay. With `filteredBy`, the events go only to that destination, if its
   * present filter lets them pass. They then no longer count as filtered.
   */
  filter: EventFilter;
  /** The ids of the only destinations. Their filters judge events as in `all`. Default: all */
  destinationIds?: readonly string[];
  now: number;
}

export interface ReplayJob {
  id: string;
  state: ReplayJobState;
  /** How many events matched when the job started. */
  matching: number;
  /** How many deliveries the job created, in any state. */
  queued: number;
  /** How many of them succeeded. */
  delivered: number;
  dead: number;
  createdAt: number;
}

/**
 * The limits of one slice. A slice replays at least one event, even if that event has more
 * deliveries than `deliveries`.
 */
export interface ReplaySlice {
  events: number;
  deliveries: number;
}

export interface ReplayResult extends NewDeliveries {
  /** The number of deliveries in the new round. */
  deliveries: number;
}
