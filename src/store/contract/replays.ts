import type { ReplayJobState } from '../../core/model.ts';
import type { ClaimTerms, NewDeliveries } from './claims.ts';
import type { EventFilter } from './events.ts';
import type { Held } from './upkeep.ts';

export interface ReplayStore {
  /**
   * Starts a new round for one event, and claims its deliveries as `appendBatch` does. Cancels open
   * deliveries of older rounds to the same destinations. The present `order_by` sets each order
   * key. Each delivery waits behind the others of its key.
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
   * captured until now. Each event is replayed if it matches `filter` at its turn. If a job with
   * the same filter and destinations still queues events, restarts that job at the oldest event
   * instead.
   *
   * Throws `limit_reached` if the account has `most` jobs that queue events, or if `JOBS_KEPT`
   * (`core/limits.ts`) jobs of the endpoint have open deliveries. Throws like `replay` for named
   * destinations.
   *
   * Keeps the endpoint's jobs that queue events or have open deliveries. Deletes all other jobs
   * except the newest `JOBS_KEPT`.
   */
  startJob(
    job: NewReplayJob,
    most: number,
    signal?: AbortSignal,
  ): Promise<{ id: string; matching: number }>;
  /**
   * Replays the next events of one job, oldest first. The same commit advances the job's position,
   * so a crash neither skips nor repeats an event. The deliveries become due, but stay unclaimed.
   * Accounts take turns. Each account's oldest job goes first. A call may instead continue a
   * `cancelJob` that a crash interrupted. Returns null if no work is left.
   */
  workOff(now: number, slice: ReplaySlice): Promise<WorkedOff | null>;
  /** Returns a page of an endpoint's jobs, newest first, and their exact number. */
  jobs(
    endpointKey: number,
    window: { offset: number; limit: number },
  ): Promise<{ jobs: ReplayJob[]; total: number }>;
  /** Returns null if the endpoint has no such job. */
  job(endpointKey: number, jobId: string): Promise<ReplayJob | null>;
  /**
   * Stops a job and cancels its open deliveries. Takes several commits, because there may be a
   * million. After the first commit, none of the job's deliveries is created or starts. A finished
   * job doesn't change. Returns null if the endpoint has no such job.
   *
   * Returns `freed`: keys of destinations where the next delivery of an order key may start.
   */
  cancelJob(endpointKey: number, jobId: string): Promise<{ freed: Set<number> } | null>;
}

/**
 * Where one event is replayed to.
 *
 * - `all`: the endpoint's destinations, except disabled ones and those whose filter dropped the
 *   event at capture. If a destination is newer than the event, or the event couldn't be judged at
 *   capture, the present filter judges. If that filter can't judge the event either, the event
 *   passes. In a bulk replay, its delivery then waits for `DeliveryStore.retry` if the endpoint
 *   holds such events.
 * - `destinations`: these destinations. Their filters don't count.
 * - `url`: a one-off URL. `id` becomes the id of its row if the URL is new. Throws
 *   `limit_reached` if the endpoint has had `mostUrls` others.
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
   * present filter passes them. They then no longer count as filtered.
   */
  filter: EventFilter;
  /** The only destinations, by id. Their filters judge events as in `all`. Default: all */
  destinationIds?: readonly string[];
  now: number;
}

export interface ReplayJob {
  id: string;
  state: ReplayJobState;
  /** The number of matching events when the job started. */
  matching: number;
  /** The number of deliveries that the job created, in any state. */
  queued: number;
  /** The number of succeeded deliveries. */
  delivered: number;
  dead: number;
  createdAt: number;
}

/**
 * The limits of one slice. A slice replays at least one event, even one with more deliveries than
 * `deliveries`.
 */
export interface ReplaySlice {
  events: number;
  deliveries: number;
}

export interface WorkedOff extends Held {
  unclaimed: Set<number>;
  /** The number of events that the slice covered. */
  replayed: number;
}

export interface ReplayResult extends NewDeliveries {
  /** The number of deliveries in the new round. */
  deliveries: number;
}
