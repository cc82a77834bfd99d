import {
  hasManySlots,
  nextSlotClass,
  type SlotClass,
  slotsFor,
} from '../../core/flow/slot-class.ts';
import { type Clock, systemClock } from '../../core/runtime/runtime.ts';
import type {
  ClaimedDelivery,
  ClaimedDestination,
  HeldSlots,
} from '../../store/contract/claims.ts';
import type { ConcurrencyLimit } from './concurrency-limit.ts';
import { Estimate } from './estimate.ts';
import { KnownLimits } from './known-limits.ts';
import { resultFor, type SlotOutcome } from './slot-outcome.ts';

/**
 * The number of slots that a destination may take while any slot is free. It takes a further slot
 * only while more slots are free than it has.
 */
const SLOTS_BEFORE_SHARING = 16;

export interface DispatchLimits {
  /** The largest number of attempts under way at once. */
  slots: number;
  /** The largest number of attempts under way at once to one destination. */
  slotsPerDestination: number;
  /**
   * The largest total size of the bodies under way, bytes. Each share gets half. A larger body is
   * sent only while its share sends no other body.
   */
  bytes: number;
}

/** The speed at which deliveries leave a lane. */
export interface Pace {
  /** The largest number of attempts under way at once. */
  limit: number;
  /** Latency of an attempt, ms; null while unknown. */
  latencyMs: number | null;
}

interface Lane {
  destinationKey: number;
  queue: ClaimedDelivery[];
  running: number;
  runningBytes: number;
  /**
   * The destination's present class. A claim's class may be older, because each attempt updates
   * this.
   */
  slotClass: SlotClass;
  concurrency: ClaimedDestination['concurrency'];
  /** This node's slots of a fixed concurrency. Null if each claim has its own slot. */
  slots: number | null;
  /** Claims whose attempts are under way. A claim that has begun but not started isn't included. */
  started: Set<ClaimedDelivery>;
  /** The limit that applies if `concurrency` isn't a number. */
  limit: ConcurrencyLimit;
}

/**
 * The lanes of all destinations with many slots, or of all with one slot. Includes their totals.
 */
interface Share {
  /** Lanes that can start a delivery as soon as a slot is free, in the order of their turns. */
  ready: Set<Lane>;
  waiting: number;
  running: number;
  runningBytes: number;
}

/**
 * Decides which delivery is attempted next. The claimed deliveries of a destination wait in its
 * lane. Lanes take turns, so a destination with a million deliveries gets no more turns than one
 * with two.
 *
 * Each destination has its own limit: a `ConcurrencyLimit` or a fixed number. The free slots limit
 * it too. A destination with sixteen or more slots takes another only while more slots are free
 * than it has. So one slow destination takes at most half of all slots, and two take a third each.
 * The next destination finds a free slot. With sixteen or more slow destinations, each has at most
 * sixteen slots.
 *
 * A destination that is untried or timed out (`SlotClass`) gets one slot. All such destinations
 * together get at most half of the slots and half of the bytes. So a thousand hanging destinations
 * can fill only their own half.
 */
export class Dispatcher {
  readonly #limits: DispatchLimits;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #knownLimits: KnownLimits;
  readonly #lanes = new Map<number, Lane>();
  readonly #manySlots: Share = { ready: new Set(), waiting: 0, running: 0, runningBytes: 0 };
  readonly #oneSlot: Share = { ready: new Set(), waiting: 0, running: 0, runningBytes: 0 };
  #isOneSlotsTurn = false;

  /** The estimated duration of `QueueStore.begin`. */
  readonly beginning = new Estimate();

  constructor(limits: DispatchLimits, clock: Pick<Clock, 'monotonic'> = systemClock) {
    this.#limits = limits;
    this.#clock = clock;
    this.#knownLimits = new KnownLimits(limits.slotsPerDestination);
  }

  get waiting(): number {
    return this.#manySlots.waiting + this.#oneSlot.waiting;
  }

  get waitingOneSlot(): number {
    return this.#oneSlot.waiting;
  }

  get running(): number {
    return this.#manySlots.running + this.#oneSlot.running;
  }

  /**
   * Whether the destination has one slot. False if it has no delivery here, because its class is
   * then unknown.
   */
  hasOneSlot(destinationKey: number): boolean {
    const lane = this.#lanes.get(destinationKey);
    return lane !== undefined && !hasManySlots(lane.slotClass);
  }

  waitingFor(destinationKey: number): number {
    return this.#lanes.get(destinationKey)?.queue.length ?? 0;
  }

  has(destinationKey: number): boolean {
    return this.#lanes.has(destinationKey);
  }

  /** Returns how many attempts are under way to the destination. */
  startedTo(destinationKey: number): number {
    return this.#lanes.get(destinationKey)?.started.size ?? 0;
  }

  /** Returns how many more deliveries of each destination could start within `withinMs`, by key. */
  startable(destinationKeys: Iterable<number>, withinMs = 0): Map<number, number> {
    const startable = new Map<number, number>();
    for (const key of destinationKeys) {
      const lane = this.#lanes.get(key);
      const limit = lane?.limit ?? this.#knownLimits.see(key);
      if (!limit) continue;
      const most = lane ? this.#mostOf(lane) : limit.limit;
      const taken = lane ? lane.running + lane.queue.length : 0;
      const { latencyMs } = limit;
      const later = latencyMs === null ? 0 : Math.floor((most * withinMs) / Math.max(1, latencyMs));
      startable.set(key, Math.max(0, most + later - taken));
    }
    return startable;
  }

  keys(): Iterable<number> {
    return this.#lanes.keys();
  }

  /** Returns this node's slots of each fixed concurrency, by destination. */
  heldSlots(): Map<number, HeldSlots> {
    const held = new Map<number, HeldSlots>();
    for (const lane of this.#lanes.values()) {
      if (lane.concurrency === 'auto') continue;
      held.set(lane.destinationKey, {
        slots: Math.max(lane.slots ?? 0, lane.started.size),
        claims: lane.running + lane.queue.length,
      });
    }
    return held;
  }

  /** Returns null for a destination without deliveries here. */
  paceOf(destinationKey: number): Pace | null {
    const lane = this.#lanes.get(destinationKey);
    if (!lane) return null;
    return { limit: this.#mostOf(lane), latencyMs: lane.limit.latencyMs };
  }

  add(claims: readonly ClaimedDelivery[]): void {
    for (const claim of claims) {
      const { key, concurrency, slots } = claim.destination;
      const lane = this.#lanes.get(key) ?? this.#open(claim.destination);
      lane.concurrency = concurrency;
      lane.slots = slots;
      if (claim.byHand) lane.queue.splice(firstOther(lane.queue), 0, claim);
      else lane.queue.push(claim);
      this.#shareOf(lane).waiting++;
      this.#enlist(lane);
    }
  }

  /**
   * Takes a slot for the next delivery. Returns null if no delivery may begin. With a rate or a
   * fixed concurrency, ask `start` before the request is sent.
   */
  next(): ClaimedDelivery | null {
    if (this.running >= this.#limits.slots) return null;
    const mayOneSlot = this.#oneSlot.running < Math.floor(this.#limits.slots / 2);
    // The shares alternate, so that neither waits until the other is empty. A share whose next body
    // doesn't fit loses its turn.
    const shares = this.#isOneSlotsTurn
      ? [this.#oneSlot, this.#manySlots]
      : [this.#manySlots, this.#oneSlot];
    for (const share of shares) {
      if (share === this.#oneSlot && !mayOneSlot) continue;
      const lane = this.#firstWithRoom(share);
      const claim = lane?.queue[0];
      if (!lane || !claim) continue;
      const isTooMuch = share.runningBytes + claim.size > this.#limits.bytes / 2;
      if (share.runningBytes > 0 && isTooMuch) continue;
      this.#isOneSlotsTurn = share === this.#manySlots;
      this.#take(lane, share, claim);
      return claim;
    }
    return null;
  }

  #open({ key, slotClass, concurrency }: ClaimedDestination): Lane {
    const limit = this.#knownLimits.take(key, this.#clock.monotonic());
    const lane: Lane = {
      destinationKey: key,
      queue: [],
      running: 0,
      runningBytes: 0,
      slotClass,
      concurrency,
      slots: null,
      started: new Set(),
      limit,
    };
    this.#lanes.set(key, lane);
    return lane;
  }

  /**
   * Returns the first ready lane that may take a slot. The search is short, because each skipped
   * lane has at least `SLOTS_BEFORE_SHARING` slots.
   */
  #firstWithRoom(share: Share): Lane | undefined {
    const free = this.#limits.slots - this.running;
    for (const lane of share.ready) {
      if (lane.running < SLOTS_BEFORE_SHARING || lane.running < free) return lane;
    }
    return undefined;
  }

  /** Whether the delivery may start now. If so, counts it as started. */
  start(claim: ClaimedDelivery): boolean {
    const lane = this.#lanes.get(claim.destination.key) as Lane;
    const isAhead = lane.slots !== null || claim.start !== null;
    if (isAhead && lane.started.size >= this.#mostOf(lane)) return false;
    lane.started.add(claim);
    return true;
  }

  #take(lane: Lane, share: Share, claim: ClaimedDelivery): void {
    lane.queue.shift();
    lane.running++;
    lane.runningBytes += claim.size;
    share.waiting--;
    share.running++;
    share.runningBytes += claim.size;
    this.#delist(lane);
    this.#enlist(lane);
  }

  /** Updates a destination's class and limit after an attempt. Call it before `done`. */
  learn(destinationKey: number, outcome: SlotOutcome): void {
    const lane = this.#lanes.get(destinationKey) as Lane;
    const { durationMs } = outcome.attempt;
    const result = resultFor(outcome);
    if (result !== null) {
      const now = this.#clock.monotonic();
      lane.limit.onEnd({ now, durationMs, underWay: lane.running, result });
    }
    const slotClass = nextSlotClass(lane.slotClass, outcome);
    if (slotClass !== lane.slotClass) {
      this.#delist(lane);
      this.#setSlotClass(lane, slotClass);
    }
    this.#enlist(lane);
  }

  /** Frees the delivery's slot. */
  done(claim: ClaimedDelivery): void {
    const lane = this.#lanes.get(claim.destination.key) as Lane;
    const share = this.#shareOf(lane);
    this.#delist(lane);
    lane.started.delete(claim);
    lane.running--;
    lane.runningBytes -= claim.size;
    share.running--;
    share.runningBytes -= claim.size;
    if (lane.running > 0 || lane.queue.length > 0) {
      this.#enlist(lane);
      return;
    }
    this.#lanes.delete(lane.destinationKey);
    this.#knownLimits.keep(lane.destinationKey, lane.limit, this.#clock.monotonic());
  }

  /** Sets the lane's class, and transfers the lane's counts to its new share. */
  #setSlotClass(lane: Lane, slotClass: SlotClass): void {
    const from = this.#shareOf(lane);
    lane.slotClass = slotClass;
    const to = this.#shareOf(lane);
    from.waiting -= lane.queue.length;
    from.running -= lane.running;
    from.runningBytes -= lane.runningBytes;
    to.waiting += lane.queue.length;
    to.running += lane.running;
    to.runningBytes += lane.runningBytes;
  }

  /**
   * Removes and returns the waiting deliveries of a destination, except the first `keep` (at least
   * 1).
   */
  takeBack(destinationKey: number, keep: number): ClaimedDelivery[] {
    const lane = this.#lanes.get(destinationKey);
    if (!lane) return [];
    const surplus = lane.queue.splice(keep);
    this.#shareOf(lane).waiting -= surplus.length;
    return surplus;
  }

  /** Returns all waiting deliveries, in no particular order. */
  claims(): ClaimedDelivery[] {
    return [...this.#lanes.values()].flatMap((lane) => lane.queue);
  }

  clear(): ClaimedDelivery[] {
    const claims = this.claims();
    for (const lane of this.#lanes.values()) {
      this.#delist(lane);
      lane.queue = [];
    }
    this.#manySlots.waiting = 0;
    this.#oneSlot.waiting = 0;
    return claims;
  }

  #shareOf(lane: Lane): Share {
    return hasManySlots(lane.slotClass) ? this.#manySlots : this.#oneSlot;
  }

  /** Returns the largest number of attempts under way at once to the lane's destination. */
  #mostOf({ slotClass, concurrency, slots, limit }: Lane): number {
    const own = slots ?? (typeof concurrency === 'number' ? concurrency : limit.limit);
    return slotsFor(slotClass, Math.min(own, this.#limits.slotsPerDestination));
  }

  /**
   * Returns how many deliveries of the lane may have begun at once. Some may begin before they have
   * slots.
   */
  #placesOf(lane: Lane): number {
    const most = this.#mostOf(lane);
    const { latencyMs } = lane.limit;
    // A delivery with a start is already limited by its rate.
    if (lane.queue[0]?.start) return this.#limits.slots;
    if (lane.slots === null || latencyMs === null || !hasManySlots(lane.slotClass)) return most;
    // This is twice the attempts that end during one `begin`. Attempts that began together also end
    // together.
    const ending = (2 * this.beginning.ms * most) / Math.max(1, latencyMs);
    return most + Math.min(most, Math.round(ending));
  }

  /** Adds the lane to the ready lanes if it can start a delivery. Otherwise removes it. */
  #enlist(lane: Lane): void {
    const { ready } = this.#shareOf(lane);
    if (lane.queue.length > 0 && lane.running < this.#placesOf(lane)) ready.add(lane);
    else ready.delete(lane);
  }

  #delist(lane: Lane): void {
    this.#manySlots.ready.delete(lane);
    this.#oneSlot.ready.delete(lane);
  }
}

/** Returns the index after the deliveries that people retry by hand. */
function firstOther(queue: readonly ClaimedDelivery[]): number {
  const place = queue.findIndex(({ byHand }) => !byHand);
  return place === -1 ? queue.length : place;
}
