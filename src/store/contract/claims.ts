import type { ProbeEnd } from '../../core/flow/flow.ts';
import type { GrantedStart, GrantTerms } from '../../core/flow/rate.ts';
import type { SlotClass } from '../../core/flow/slot-class.ts';
import type { Trigger } from '../../core/model.ts';

export interface NewDeliveries {
  /** Deliveries that the same commit claimed. The scheduler doesn't read them from the table. */
  claimed: ClaimedDelivery[];
  /** Keys of destinations with new unclaimed deliveries. */
  unclaimed: Set<number>;
}

/** What a caller may claim. */
export interface ClaimTerms {
  leaseUntil: number;
  /** The largest number of deliveries to claim. */
  limit: number;
  /**
   * The largest number of destinations with one slot (`core/flow/slot-class.ts`) to claim from.
   * Claims one delivery of each. This prevents their backlog from displacing other destinations.
   * Default: no limit
   */
  oneSlotLimit?: number;
  /**
   * Replaces `perDestination` of `QueueStore.claimDue` for destinations with many slots. By
   * destination key.
   */
  depths?: ReadonlyMap<number, number>;
  /** Keys of destinations to claim nothing from. */
  skip: ReadonlySet<number>;
  /**
   * How many more deliveries can start at once, by destination key. Missing keys count as
   * `AUTO_START`. A rate grants at most this many starts, because a granted start can't wait for a
   * slot.
   */
  startable?: ReadonlyMap<number, number>;
  /**
   * The default timeout of destinations, ms. A probe without a recorded result blocks the breaker's
   * next probe until shortly after its timeout. Default: until the probe's lease ends
   */
  attemptTimeoutMs?: number;
  /** The times for which rates grant starts. Default: now */
  grants?: GrantTerms;
  /**
   * The caller's slots at destinations with a fixed concurrency. Default: no slots. Then live
   * claims count as attempts, and the store claims a delivery only if it can start at once.
   */
  slots?: SlotTerms;
  /** Keys of the only destinations to claim from. Default: all */
  only?: ReadonlySet<number>;
}

interface SlotTerms {
  /**
   * When the leases of slots end, Unix ms. This leaves time for attempts that begin before the next
   * poll.
   */
  until: number;
  /** By destination key. A missing key has no slot. */
  held: ReadonlyMap<number, HeldSlots>;
}

export interface HeldSlots {
  /** At most so many attempts may run until the store answers. */
  slots: number;
  /** The number of claims that wait or run. */
  claims: number;
}

/**
 * The right to make one attempt of a delivery, until `leaseUntil`. Each claim of a delivery has a
 * new token.
 */
export interface ClaimedDelivery {
  id: string;
  token: number;
  eventSeq: number;
  eventId: string;
  endpointKey: number;
  round: number;
  trigger: Trigger;
  /** The number of earlier attempts, without probes. */
  attempts: number;
  /** The number of earlier probes that failed. */
  probes: number;
  /** The end of the queue that this claim probes; null for an ordinary attempt. */
  probe: ProbeEnd | null;
  /** When the attempt may start; null for any time. A claim that misses its start is released. */
  start: GrantedStart | null;
  /** Whether a person retries the delivery. It then goes first. */
  byHand: boolean;
  /** The body's size, bytes. */
  size: number;
  /** The value by which the destination orders deliveries; null if it doesn't. */
  orderKey: string | null;
  /** The bulk replay that made the delivery; null if none did. */
  jobKey: number | null;
  destination: ClaimedDestination;
}

/**
 * The destination of a claimed delivery. `QueueStore.begin` reads the destination's settings when
 * the attempt begins.
 */
export interface ClaimedDestination {
  key: number;
  /** Null for a one-off URL. */
  id: string | null;
  /** The slot class at the time of the claim. */
  slotClass: SlotClass;
  /** The largest number of concurrent attempts. With `auto`, each node determines the number. */
  concurrency: number | 'auto';
  /**
   * The largest number of concurrent attempts on this node, for a fixed concurrency. Null if the
   * concurrency is `auto`, or if each claim may start at once.
   */
  slots: number | null;
  /**
   * Whether settings or flow may delay deliveries (`core/flow/permits.ts`). Only `claimDue` claims
   * such deliveries. Commits that create deliveries don't.
   */
  isControlled: boolean;
  /** Where new deliveries are made: why the destination holds them, if it does. */
  holds?: 'paused' | 'breaker';
  /** Where new deliveries are made: the destination's name. Without one, its URL. */
  shownAs?: string;
}

/**
 * The terms of a poll. `perDestination` is the largest number of claims for each destination that
 * `depths` doesn't list.
 */
export type DueTerms = ClaimTerms & { perDestination: number };
