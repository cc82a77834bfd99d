import type { Endpoint, ListedDelivery, ShownState } from '../../core/model.ts';

export interface DeliveryStore {
  /**
   * Returns a page of an endpoint's deliveries of all rounds, with their exact number. The newest
   * event comes first, and of each event the newest round.
   *
   * A delivery that a filter dropped has the state `filtered`. Only a search for `filtered` lists
   * it. Rejects with the signal's reason if the signal is aborted.
   */
  list(
    endpointKey: number,
    filter: DeliveryFilter,
    window: DeliveryWindow,
    signal?: AbortSignal,
  ): Promise<{ deliveries: ListedDelivery[]; total: number }>;
  /** Returns null if no endpoint of the account has the delivery. */
  find(
    userId: string,
    deliveryId: string,
    now: number,
  ): Promise<{ endpoint: Endpoint; delivery: ListedDelivery } | null>;
  /**
   * Lets one attempt start now, despite the backoff, the breaker and the order. A pause and the
   * rate still delay it. A delivery whose event couldn't be judged stops waiting for a retry.
   *
   * Reopens a dead delivery behind the others of its order key. The delivery must be the event's
   * newest to its destination, and count for the event's status.
   *
   * Returns null for an unknown delivery. Otherwise, if the delivery can't start:
   *
   * - `paused`: the destination is paused or disabled.
   * - `settled`: the delivery isn't open and can't be reopened, for example because its
   *   destination was removed.
   * - `crowded`: `MOST_URGENT` deliveries of the destination already wait for such a start.
   */
  retry(
    deliveryId: string,
    now: number,
  ): Promise<{ destinationKey: number } | 'paused' | 'settled' | 'crowded' | null>;
  /**
   * Cancels an open delivery, so that the next one of its order key may start. Returns `settled` if
   * the delivery isn't open, and null if it is unknown.
   */
  cancel(deliveryId: string): Promise<{ destinationKey: number } | 'settled' | null>;
  /**
   * Returns the first open delivery of the same order key. Returns null if the given delivery is
   * that first one, or isn't open.
   */
  holder(deliveryId: string): Promise<{ id: string; orderKey: string } | null>;
  /**
   * Finds an event by the id of an attempt. Returns null if no endpoint of the account has the
   * attempt.
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
  /** The time for which `waitsFor` of open deliveries is computed, Unix ms. */
  now: number;
}
