import type { Endpoint, ListedDelivery, ShownState } from '../../core/model.ts';

export interface DeliveryStore {
  /**
   * A page of an endpoint's deliveries of all rounds, and their exact number. The newest
   * event comes first, and of each event the newest round. Deliveries that a filter dropped
   * have the state `filtered`; only a filter by that state lists them. Rejects with the
   * signal's reason when the signal is aborted.
   */
  list(
    endpointKey: number,
    filter: DeliveryFilter,
    window: DeliveryWindow,
    signal?: AbortSignal,
  ): Promise<{ deliveries: ListedDelivery[]; total: number }>;
  /** Finds a delivery by its id. Null when no endpoint of the account has it. */
  find(
    userId: string,
    deliveryId: string,
    now: number,
  ): Promise<{ endpoint: Endpoint; delivery: ListedDelivery } | null>;
  /**
   * Lets one attempt of a delivery start now. It ignores the backoff, the breaker and the
   * order, but not a pause or the rate. It also ends the hold of an event that couldn't be
   * judged.
   *
   * A dead delivery opens again, behind the others of its order key, if it is the newest to
   * its destination and thus counts for the event's status.
   *
   * - `settled`: the delivery isn't open and can't be opened. So is a dead one of a removed
   *   destination.
   * - `crowded`: `MOST_URGENT` deliveries of the destination already wait for such a start.
   */
  retry(
    deliveryId: string,
    now: number,
  ): Promise<{ destinationKey: number } | 'paused' | 'settled' | 'crowded' | null>;
  /**
   * Cancels an open delivery, and lets the next one of its order key go. `settled` if it
   * isn't open.
   */
  cancel(deliveryId: string): Promise<{ destinationKey: number } | 'settled' | null>;
  /**
   * The first open delivery of the same order key, which holds this one back. Null if this
   * one isn't open, or is the first.
   */
  holder(deliveryId: string): Promise<{ id: string; orderKey: string } | null>;
  /**
   * Finds the event whose content an attempt sent, by the attempt's id. Null when no
   * endpoint of the account has the attempt.
   */
  findAttempt(
    userId: string,
    attemptId: string,
  ): Promise<{ endpoint: Endpoint; eventSeq: number } | null>;
}

export interface DeliveryFilter {
  state?: ShownState;
  destinationId?: string;
}

export interface DeliveryWindow {
  offset: number;
  limit: number;
  /** The time for which `waitsFor` of open deliveries is worked out. */
  now: number;
}
