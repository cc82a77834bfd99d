import type { ClaimTerms, NewDeliveries } from './claims.ts';
import type { EventFilter } from './events.ts';

export interface ReplayStore {
  /**
   * Starts a new round for one event: deliveries to all destinations that the
   * endpoint has now, claimed like those of `appendBatch`. Open deliveries of
   * older rounds to the same destinations become `cancelled`. Null when gone.
   */
  replay(
    endpointKey: number,
    seq: number,
    now: number,
    terms: ClaimTerms,
  ): Promise<ReplayResult | null>;
  /**
   * How many events `startJob` would replay now.
   */
  count(endpointKey: number, filter: EventFilter, signal?: AbortSignal): Promise<number>;
  /**
   * Queues a replay of the events captured until now that match `filter` when
   * their turn comes. Durable; worked off by `workOff`. Returns how many match now.
   * An open job of the endpoint with the same filter starts over instead, at the
   * newest event. Throws `limit_reached` where the account has `most` open jobs.
   */
  startJob(
    job: { id: string; endpointKey: number; filter: EventFilter; now: number },
    most: number,
    signal?: AbortSignal,
  ): Promise<number>;
  /**
   * Replays the next events of one job and moves its mark, atomically, so that a
   * crash neither skips nor repeats one. Accounts take turns; within one, the oldest
   * job is first. The deliveries stay due in the table. Null when there is no job left.
   */
  workOff(now: number, slice: ReplaySlice): Promise<{ unclaimed: Set<number> } | null>;
}

/** The most that one slice replays; one event, whatever its deliveries. */
export interface ReplaySlice {
  events: number;
  deliveries: number;
}

export interface ReplayResult extends NewDeliveries {
  /** How many deliveries the new round has. */
  deliveries: number;
}
