import type { Endpoint, ListedDelivery, ShownState } from '../../core/model.ts';

export interface DeliveryStore {
  /**
   * Returns a page of an endpoint's deliveries of all rounds, and their exact number. Deliveries of
   * the newest event come first, and among those of one event, the newest round.
   *
   * If a filter dropped a delivery, its state is `filtered`. Only a search for that state lists it.
   * Rejects with the signal's reason when the signal is aborted.
   */
  list(
    endpointKey: number,
    filter: DeliveryFilter,
    window: DeliveryWindow,
    signal?: AbortSignal,
  ): Promise<{ deliveries: ListedDelivery[]; total: number }>;
  /** Finds a delivery by its id. Returns null if no endpoint of the account has it. */
  find(
    userId: string,
    deliveryId: string,
    now: number,
  ): Promise<{ endpoint: Endpoint; delivery: ListedDelivery } | null>;
  /**
   * Lets one attempt of a delivery start now, despite the backoff, the breaker and the order. A
   * pause and the rate still hold it back. If the delivery waits because its event couldn't be
   * judged, it no longer waits.
   *
   * Opens a dead delivery again, behind the others of its order key. The delivery must be the
   * event's newest to its destination, and count for the event's status.
   *
   * Returns null if there is no such delivery. Otherwise, if it can't start:
   *
   * - `paused`: the destination is paused or disabled.
   * - `settled`: the delivery isn't open and can't be opened again. A dead delivery of a removed
   *   destination can't.
   * - `crowded`: `MOST_URGENT` deliveries of the destination already wait for such a start.
   */
  retry(
    deliveryId: string,
    now: number,
  ): Promise<{ destinationKey: number } | 'paused' | 'settled' | 'crowded' | null>;
  /**
   * Cancels an open delivery. The next delivery of its order key may then go. Returns `settled` if
   * the delivery isn't open, and null if there is no such delivery.
   */
  cancel(deliveryId: string): Promise<{ destinationKey: number } | 'settled' | null>;
  /**
   * Returns the first open delivery of the same order key, which holds this one back. Returns null
   * if this one isn't open, or if it is the first itself.
   */
  holder(deliveryId: string): Promise<{ id: string; orderKey: string } | null>;
  /**
   * Finds the event that an attempt sent, by the attempt's id. Returns null if no endpoint of the
   * account has the attempt.
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
  /** The time, Unix ms, for which `waitsFor` of open deliveries is computed. */
  now: number;
}
