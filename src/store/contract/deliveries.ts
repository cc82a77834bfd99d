import type { Endpoint, ListedDelivery, ShownState } from '../../core/model.ts';

/** Deliveries as things of their own. */
export interface DeliveryStore {
  /**
   * A page of an endpoint's deliveries of all rounds, and their exact number: those of the
   * newest event first, of each event the newest round first. Deliveries that a filter
   * dropped have the state `filtered`; they are listed only when that state is asked for.
   * Rejects with the signal's reason when the signal is aborted.
   */
  list(
    endpointKey: number,
    filter: DeliveryFilter,
    window: DeliveryWindow,
    signal?: AbortSignal,
  ): Promise<{ deliveries: ListedDelivery[]; total: number }>;
  /** By the delivery's id alone. Null when no endpoint of the account has it. */
  find(
    userId: string,
    deliveryId: string,
    now: number,
  ): Promise<{ endpoint: Endpoint; delivery: ListedDelivery } | null>;
  /**
   * Lets one attempt of a delivery start now, past its backoff, the breaker and its order,
   * not past a pause or the rate. One that is held because its event couldn't be judged is
   * then held no longer. A dead delivery that counts for its event's status, as
   * the newest to its destination, is open again, behind the others of its order key.
   * `settled` for any other that isn't open, and for a dead one of a removed destination;
   * `crowded` where `MOST_URGENT` deliveries of the destination already wait for that.
   */
  retry(
    deliveryId: string,
    now: number,
  ): Promise<{ destinationKey: number } | 'paused' | 'settled' | 'crowded' | null>;
  /**
   * Cancels an open delivery, and lets the next one of its order key go. `settled` where it
   * isn't open.
   */
  cancel(deliveryId: string): Promise<{ destinationKey: number } | 'settled' | null>;
  /**
   * What a delivery waits behind: the first open one of its order key. Null where it isn't
   * open, or nothing is before it.
   */
  holder(deliveryId: string): Promise<{ id: string; orderKey: string } | null>;
  /**
   * The request of an attempt, by the attempt's id alone: the event whose content it
   * sent. Null when no endpoint of the account has it.
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
  /** Decides what open deliveries wait for. */
  now: number;
}
