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
   * Lets one attempt of a delivery start now, past its backoff and the breaker, not past
   * a pause or the rate. A dead delivery of the event's newest round is open again.
   * `settled` for any other that isn't open, and where the destination is removed;
   * `crowded` where `MOST_URGENT` deliveries of the destination already wait for that.
   */
  retry(
    deliveryId: string,
    now: number,
  ): Promise<{ destinationKey: number } | 'paused' | 'settled' | 'crowded' | null>;
  /** Cancels an open delivery. `settled` where it isn't open. */
  cancel(deliveryId: string): Promise<'cancelled' | 'settled' | null>;
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
