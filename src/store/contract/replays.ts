import type { ReplayJobState } from '../../core/model.ts';
import type { ClaimTerms, NewDeliveries } from './claims.ts';
import type { EventFilter } from './events.ts';

export interface ReplayStore {
  /**
   * Starts a new round for one event, and claims its deliveries as `appendBatch` does. Open
   * deliveries of older rounds to the same destinations become `cancelled`. The present
   * `order_by` gives a delivery its order key; it queues behind the others of that key. Null
   * when the event is gone. Throws `destination_not_found` and `destination_disabled` for a
   * named destination.
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
  /** How many events `startJob` would replay now. */
  count(endpointKey: number, filter: EventFilter, signal?: AbortSignal): Promise<number>;
  /**
   * Queues a bulk replay: a durable job, which `workOff` executes. It covers the events
   * captured until now, and replays those that match `filter` when their turn comes. If a
   * job with the same filter and destinations still queues events, that job starts over at
   * the oldest event instead.
   *
   * Throws `limit_reached` if the account has `most` jobs that queue events, and like
   * `replay` for named destinations. Of an endpoint's other jobs, the newest `JOBS_KEPT`
   * (`core/limits.ts`) stay.
   */
  startJob(
    job: NewReplayJob,
    most: number,
    signal?: AbortSignal,
  ): Promise<{ id: string; matching: number }>;
  /**
   * Replays the next events of one job, oldest first, and moves the job's position past them
   * in the same commit: a crash neither skips nor repeats an event. Accounts take turns; of
   * an account, the oldest job comes first. The deliveries stay due and unclaimed. Null when
   * no job is left.
   */
  workOff(now: number, slice: ReplaySlice): Promise<{ unclaimed: Set<number> } | null>;
  /** A page of an endpoint's jobs, newest first, and their exact number. */
  jobs(
    endpointKey: number,
    window: { offset: number; limit: number },
  ): Promise<{ jobs: ReplayJob[]; total: number }>;
  /** Null when the endpoint has no such job. */
  job(endpointKey: number, jobId: string): Promise<ReplayJob | null>;
  /**
   * Stops a job and cancels its open deliveries. There may be a million, so it takes several
   * commits; after the first, no delivery of the job is made or begun. `freed`: destinations
   * where the next delivery of an order key may go now. Null when the endpoint has no such
   * job. A job that is over doesn't change.
   */
  cancelJob(endpointKey: number, jobId: string): Promise<{ freed: Set<number> } | null>;
}

/**
 * Where one event is replayed to.
 *
 * - `all`: the endpoint's present destinations, except disabled ones and those whose filter
 *   dropped the event at its capture. If a destination is newer than the event, or couldn't
 *   judge it, its present filter judges now. If that can't judge it either, the event goes
 *   there. In a bulk replay, such a delivery waits for `DeliveryStore.retry` if the endpoint
 *   holds such events.
 * - `destinations`: these destinations; their filters don't count.
 * - `url`: a one-off URL. `id` names its row if it is new. Throws `limit_reached` if the
 *   endpoint has had `mostUrls` others.
 */
export type ReplayTarget =
  | { to: 'all' }
  | { to: 'destinations'; ids: readonly string[] }
  | { to: 'url'; url: string; id: string; mostUrls: number };

export interface NewReplayJob {
  id: string;
  endpointKey: number;
  /**
   * With `filteredBy`, events go to that destination alone, if its present filter lets them
   * pass. They then no longer count as filtered.
   */
  filter: EventFilter;
  /** Ids of the only destinations, which judge events as in `all`. Default: all */
  destinationIds?: readonly string[];
  now: number;
}

export interface ReplayJob {
  id: string;
  state: ReplayJobState;
  /** Events that matched when the job started. */
  matching: number;
  /** Deliveries that the job made, in any state. */
  queued: number;
  /** Those that succeeded. */
  delivered: number;
  dead: number;
  createdAt: number;
}

/** Limits of one slice, which replays at least one event, even if that has more deliveries. */
export interface ReplaySlice {
  events: number;
  deliveries: number;
}

export interface ReplayResult extends NewDeliveries {
  /** The number of deliveries in the new round. */
  deliveries: number;
}
