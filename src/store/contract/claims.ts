import type { ProbeEnd } from '../../core/flow/flow.ts';
import type { GrantedStart, GrantTerms } from '../../core/flow/rate.ts';
import type { SlotClass } from '../../core/flow/slot-class.ts';
import type { Trigger } from '../../core/model.ts';

/** The deliveries that a commit made. */
export interface NewDeliveries {
  /** Claimed in the same commit: the scheduler needs no look at the table. */
  claimed: ClaimedDelivery[];
  /** Keys of the destinations that got unclaimed deliveries. */
  unclaimed: Set<number>;
}

/** How many deliveries a caller claims. */
export interface ClaimTerms {
  leaseUntil: number;
  /** Most deliveries in all. */
  limit: number;
  /**
   * Most deliveries of unhealthy destinations (`core/flow/slot-class.ts`), one of
   * each. Such a destination has one slot, and its backlog must not keep others out.
   * No limit where this is left out.
   */
  oneSlotLimit?: number;
  /** Replaces `perDestination` of `QueueStore.claimDue` for these healthy destinations, by key. */
  depths?: ReadonlyMap<number, number>;
  /** Keys of destinations whose deliveries stay unclaimed. */
  skip: ReadonlySet<number>;
  /**
   * How many more deliveries could start at once, by destination key; `AUTO_START` of one
   * that isn't here. A start that a rate grants can't wait for a slot.
   */
  startable?: ReadonlyMap<number, number>;
  /**
   * The longest attempt of a destination without a timeout of its own, ms. A probe that isn't
   * on record soon after no longer holds its breaker; where this is left out, it does until
   * its lease ends.
   */
  attemptTimeoutMs?: number;
  /** For which moments rates grant starts; at once where this is left out. */
  grants?: GrantTerms;
  /**
   * What the caller holds of fixed concurrencies. Where this is left out, live claims are
   * counted instead, and none is claimed ahead of its slot.
   */
  slots?: SlotTerms;
  /** Keys of the only destinations to look at; all where this is left out. */
  only?: ReadonlySet<number>;
}

/** Slots and claims of the caller, for destinations with a fixed concurrency. */
interface SlotTerms {
  /** Leases of slots end then, Unix ms: later than any attempt that begins before the next look. */
  until: number;
  /** By destination key; nothing for one that isn't here. */
  held: ReadonlyMap<number, HeldSlots>;
}

export interface HeldSlots {
  /** Most attempts that it may have under way until the answer. */
  slots: number;
  /** Claims that wait or are under way. */
  claims: number;
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
  /** Attempts made before this one, without probes. */
  attempts: number;
  /** Failed probes made before. */
  probes: number;
  /** The end of the queue that this claim probes; null for an ordinary attempt. */
  probe: ProbeEnd | null;
  /** When the attempt may start. Later, the claim is given back; null for any time. */
  start: GrantedStart | null;
  /** A person retries it: it goes first. */
  byHand: boolean;
  /** Body size in bytes. */
  size: number;
  /** The value by which its destination orders it; null for a delivery without an order. */
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
   * Attempts of a fixed concurrency that this node may have under way at once from now on.
   * Null where each claim is one of them, or the concurrency is `auto`.
   */
  slots: number | null;
  /**
   * Whether settings or flow hold the destination (`core/flow/permits.ts`). Its
   * deliveries are claimed by `claimDue` alone, never handed over by a commit.
   */
  isControlled: boolean;
}

/** Terms of a poll. `perDestination`: most claims of a destination that `depths` leaves out. */
export type DueTerms = ClaimTerms & { perDestination: number };
