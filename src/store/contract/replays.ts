import type { ReplayJobState } from '../../core/model.ts';
import type { ClaimTerms, NewDeliveries } from './claims.ts';
import type { EventFilter } from './events.ts';

export interface ReplayStore {
  /**
   * Starts a new round for one event, claimed as in `appendBatch`. Open deliveries of older
   * rounds to the same destinations become `cancelled`. An ordered delivery queues behind
   * its order key: the event's value at the `order_by` of now. Null when the event is gone.
   * Throws `destination_not_found` and `destination_disabled` for a named destination.
   *
   * @param target to all destinations, where it is left out
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
   * Queues a bulk replay, a durable job that `workOff` works off. It covers the events
   * captured until now; each is replayed if it matches `filter` when its turn comes. If the
   * endpoint has a job with the same filter and destinations that still queues events, that
   * job starts over at the oldest event instead. Throws `limit_reached` if the account has
   * `most` jobs that queue events. Of an endpoint's other jobs, the newest `JOBS_KEPT` (`core/limits.ts`) stay.
   * Throws as `replay` does for destinations that it names.
   */
  startJob(
    job: NewReplayJob,
    most: number,
    signal?: AbortSignal,
  ): Promise<{ id: string; matching: number }>;
  /**
   * Replays the next events of one job, the oldest first, and moves the job's position past
   * them, atomically: a crash neither skips nor repeats an event. Accounts take turns;
   * within an account, the oldest job is first. The deliveries stay due in the table,
   * unclaimed. Null when no job is left.
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
   * Stops a job and cancels its open deliveries, in several commits: there may be a
   * million. It counts at the first: nothing of the job is queued or begun after it.
   * Returns the destinations where a next delivery of an order key may go now; null when
   * the endpoint has no such job. A job that is over stays as it is.
   */
  cancelJob(endpointKey: number, jobId: string): Promise<{ freed: Set<number> } | null>;
}

/**
 * Where one event is replayed to.
 *
 * - `all`: the endpoint's present destinations, without disabled ones and those whose
 *   filter dropped the event at its capture. A destination that is newer than the event, or
 *   that couldn't judge it, judges it by its filter of now. Where it can't, the event goes
 *   there; in a bulk replay of an endpoint that holds such events, the delivery waits for
 *   `DeliveryStore.retry`.
 * - `ids`: these destinations, whatever their filters say.
 * - `url`: a one-off URL. Throws `limit_reached` where the endpoint has had `mostUrls`
 *   others. `id` names its row if it is new.
 */
export type ReplayTarget =
  | { to: 'all' }
  | { to: 'destinations'; ids: readonly string[] }
  | { to: 'url'; url: string; id: string; mostUrls: number };

export interface NewReplayJob {
  id: string;
  endpointKey: number;
  /**
   * With `filteredBy`, events go to that destination alone, as far as its filter of now
   * lets them pass. Those are then no longer filtered.
   */
  filter: EventFilter;
  /** Ids of the only destinations, which judge events as in `all`; all where it is left out. */
  destinationIds?: readonly string[];
  now: number;
}

export interface ReplayJob {
  id: string;
  state: ReplayJobState;
  /** Events that matched when it started. */
  matching: number;
  /** Deliveries that it has made so far, in any state. */
  queued: number;
  /** Those of them that succeeded. */
  delivered: number;
  dead: number;
  createdAt: number;
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
