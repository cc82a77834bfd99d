import type { DestinationHealth } from '../../core/destination-health.ts';
import type { Trigger } from '../../core/model.ts';

/** Deliveries just made, handed over without another look at the table. */
export interface NewDeliveries {
  claimed: ClaimedDelivery[];
  /** Keys of the destinations that got deliveries which nobody has claimed. */
  unclaimed: Set<number>;
}

/** How much of what is due a caller takes on. */
export interface ClaimTerms {
  leaseUntil: number;
  /** At most this many in all. */
  limit: number;
  /**
   * At most this many of unhealthy destinations (`core/destination-health.ts`), one
   * of each: it has one slot, and the backlog of one must not keep the others out.
   * Without it, any number.
   */
  unhealthyLimit?: number;
  /** Destinations of which to claim nothing. */
  skip: ReadonlySet<number>;
}

/**
 * The right to make one attempt of a delivery, until `leaseUntil`. The token
 * tells this claim from a later one of the same delivery.
 */
export interface ClaimedDelivery {
  id: string;
  token: number;
  eventSeq: number;
  eventId: string;
  endpointKey: number;
  round: number;
  trigger: Trigger;
  /** Attempts made before this one. */
  attempts: number;
  /** Of the body, bytes. */
  size: number;
  destination: ClaimedDestination;
}

/** Whose turn it is. Its settings are read when the attempt begins (`QueueStore.begin`). */
export interface ClaimedDestination {
  key: number;
  id: string;
  /** As of the claim. */
  health: DestinationHealth;
}
