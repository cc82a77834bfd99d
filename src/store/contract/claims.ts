import type { ProbeEnd } from '../../core/flow/flow.ts';
import type { GrantedStart, GrantTerms } from '../../core/flow/rate.ts';
import type { SlotClass } from '../../core/flow/slot-class.ts';
import type { Trigger } from '../../core/model.ts';

/** The deliveries that a commit made. */
export interface NewDeliveries {
  /** Deliveries that the same commit claimed, so that the scheduler needn't read the table. */
  claimed: ClaimedDelivery[];
  /** Keys of the destinations with new unclaimed deliveries. */
  unclaimed: Set<number>;
}

/** How many deliveries a caller claims. */
export interface ClaimTerms {
  leaseUntil: number;
  /** How many deliveries the caller claims at most. */
  limit: number;
  /**
   * How many destinations with one slot (`core/flow/slot-class.ts`) the caller claims from at most.
   * It claims one delivery of each. The limit keeps their backlog from displacing other
   * destinations. Default: no limit
   */
  oneSlotLimit?: number;
  /**
   * By destination key: replaces `perDestination` of `QueueStore.claimDue` for destinations with
   * many slots.
   */
  depths?: ReadonlyMap<number, number>;
  /** Keys of destinations whose deliveries stay unclaimed. */
  skip: ReadonlySet<number>;
  /**
   * How many more deliveries could start now, by destination key; `AUTO_START` for a missing key. A
   * rate grants no more starts than that, because a granted start can't wait for a slot.
   */
  startable?: ReadonlyMap<number, number>;
  /**
   * The timeout of destinations without their own, ms. Soon after its timeout, a probe without a
   * recorded result no longer blocks the breaker's next probe. Default: the probe blocks it until
   * its lease ends
   */
  attemptTimeoutMs?: number;
  /** The moments for which rates grant starts. Default: now */
  grants?: GrantTerms;
  /**
   * The caller's slots at destinations with a fixed concurrency. Default: the caller gets no slots,
   * so live claims count as attempts, and the store claims a delivery only when it may start at
   * once
   */
  slots?: SlotTerms;
  /** Keys of the only destinations to claim from. Default: all */
  only?: ReadonlySet<number>;
}

/** The caller's slots and claims at destinations with a fixed concurrency. */
interface SlotTerms {
  /**
   * When the leases of slots end, Unix ms. This is late enough for attempts that begin before the
   * next poll to end first.
   */
  until: number;
  /** By destination key. A missing key has no slot. */
  held: ReadonlyMap<number, HeldSlots>;
}

export interface HeldSlots {
  /** How many attempts may be under way at most, until the store answers. */
  slots: number;
  /** How many claims wait or are under way. */
  claims: number;
}

/**
 * The right to make one attempt of a delivery, until `leaseUntil`. Each new claim of a delivery has
 * a new token.
 */
export interface ClaimedDelivery {
  id: string;
  token: number;
  eventSeq: number;
  eventId: string;
  endpointKey: number;
  round: number;
  trigger: Trigger;
  /** How many attempts were made before this one, without probes. */
  attempts: number;
  /** How many probes failed before. */
  probes: number;
  /** The end of the queue that this claim probes; null for an ordinary attempt. */
  probe: ProbeEnd | null;
  /**
   * When the attempt may start; null if at any time. A claim that misses its start is given back.
   */
  start: GrantedStart | null;
  /** Whether a person retries the delivery. It then goes first. */
  byHand: boolean;
  /** Body size in bytes. */
  size: number;
  /**
   * The value by which the destination orders the delivery; null if it doesn't order its
   * deliveries.
   */
  orderKey: string | null;
  /** The bulk replay that made the delivery; null if none did. */
  jobKey: number | null;
  destination: ClaimedDestination;
}

/**
 * The destination of a claimed delivery. `QueueStore.begin` reads its settings when the attempt
 * begins.
 */
export interface ClaimedDestination {
  key: number;
  /** Null for a one-off URL. */
  id: string | null;
  /** The slot class at the time of the claim. */
  slotClass: SlotClass;
  /** How many attempts may be under way at once. With `auto`, each node finds the number out. */
  concurrency: number | 'auto';
  /**
   * How many attempts this node may have under way at once, at a destination with a fixed
   * concurrency. Null if the concurrency is `auto`, or if each claim may start at once.
   */
  slots: number | null;
  /**
   * Whether settings or flow may hold the destination back (`core/flow/permits.ts`). Only
   * `claimDue` claims its deliveries. Commits that create deliveries don't claim them.
   */
  isControlled: boolean;
}

/**
 * The terms of a poll. `perDestination` is how many deliveries of a destination it claims at most,
 * unless `depths` has the destination.
 */
export type DueTerms = ClaimTerms & { perDestination: number };
