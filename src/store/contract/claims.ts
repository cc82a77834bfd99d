import type { ProbeEnd } from '../../core/flow/flow.ts';
import type { GrantedStart, GrantTerms } from '../../core/flow/rate.ts';
import type { SlotClass } from '../../core/flow/slot-class.ts';
import type { Trigger } from '../../core/model.ts';

/** The deliveries that a commit made. */
export interface NewDeliveries {
  /** Claimed in the same commit, so that the scheduler needn't read the table. */
  claimed: ClaimedDelivery[];
  /** Keys of the destinations with new unclaimed deliveries. */
  unclaimed: Set<number>;
}

/** How many deliveries a caller claims. */
export interface ClaimTerms {
  leaseUntil: number;
  /** Most deliveries in all. */
  limit: number;
  /**
   * Most deliveries of destinations with one slot (`core/flow/slot-class.ts`), one of each: their
   * backlog must not keep others out. Default: no limit
   */
  oneSlotLimit?: number;
  /** Replaces `perDestination` of `QueueStore.claimDue` for destinations with many slots, by key. */
  depths?: ReadonlyMap<number, number>;
  /** Keys of destinations whose deliveries stay unclaimed. */
  skip: ReadonlySet<number>;
  /**
   * How many more deliveries could start now, by destination key; `AUTO_START` for a missing
   * key. A start that a rate grants can't wait for a slot.
   */
  startable?: ReadonlyMap<number, number>;
  /**
   * The longest attempt of a destination without its own timeout, ms. A probe without a
   * record soon after that no longer holds its breaker. Default: it does until its lease
   * ends
   */
  attemptTimeoutMs?: number;
  /** The moments for which rates grant starts. Default: now */
  grants?: GrantTerms;
  /**
   * The caller's slots of fixed concurrencies. Default: live claims count instead, and no
   * delivery is claimed before it has a slot
   */
  slots?: SlotTerms;
  /** Keys of the only destinations to claim from. Default: all */
  only?: ReadonlySet<number>;
}

/** Slots and claims of the caller, for destinations with a fixed concurrency. */
interface SlotTerms {
  /** When leases of slots end, Unix ms. Attempts that begin before the next poll end earlier. */
  until: number;
  /** By destination key; no slot for a missing key. */
  held: ReadonlyMap<number, HeldSlots>;
}

export interface HeldSlots {
  /** Most attempts that may be under way until the answer. */
  slots: number;
  /** Claims that wait or are under way. */
  claims: number;
}

/**
 * The right to make one attempt of a delivery, until `leaseUntil`. Each claim of a delivery
 * has another token.
 */
export interface ClaimedDelivery {
  id: string;
  token: number;
  eventSeq: number;
  eventId: string;
  endpointKey: number;
  round: number;
  trigger: Trigger;
  /** Attempts made before this one, without probes. */
  attempts: number;
  /** Failed probes made before. */
  probes: number;
  /** The end of the queue that this claim probes; null for an ordinary attempt. */
  probe: ProbeEnd | null;
  /** When the attempt may start; null for any time. A claim that misses it is given back. */
  start: GrantedStart | null;
  /** Whether a person retries it: then it goes first. */
  byHand: boolean;
  /** Body size in bytes. */
  size: number;
  /** The value by which its destination orders it; null if it doesn't. */
  orderKey: string | null;
  /** The job of a bulk replay; null for any other delivery. */
  jobKey: number | null;
  destination: ClaimedDestination;
}

/** Where a claimed delivery goes. `QueueStore.begin` reads its settings when the attempt begins. */
export interface ClaimedDestination {
  key: number;
  /** Null for a one-off URL. */
  id: string | null;
  /** The health at the time of the claim. */
  slotClass: SlotClass;
  /** Most attempts at once: a number, or what each node finds out. */
  concurrency: number | 'auto';
  /**
   * Attempts of a fixed concurrency that this node may now have under way at once. Null if
   * each claim is one of them, or the concurrency is `auto`.
   */
  slots: number | null;
  /**
   * Whether settings or flow hold the destination back (`core/flow/permits.ts`). Only
   * `claimDue` claims its deliveries; a commit claims none.
   */
  isControlled: boolean;
}

/** Terms of a poll. `perDestination`: most claims of a destination that `depths` leaves out. */
export type DueTerms = ClaimTerms & { perDestination: number };
