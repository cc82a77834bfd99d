import {
  hasManySlots,
  nextSlotClass,
  type SlotClass,
  slotsFor,
} from '../../core/flow/slot-class.ts';
import { isSuccess } from '../../core/http/is-success.ts';
import type { Attempt } from '../../core/model.ts';
import { type Clock, systemClock } from '../../core/runtime/runtime.ts';
import type {
  ClaimedDelivery,
  ClaimedDestination,
  HeldSlots,
} from '../../store/contract/claims.ts';
import type { ConcurrencyLimit } from './concurrency-limit.ts';
import { Estimate } from './estimate.ts';
import { KnownLimits } from './known-limits.ts';

/**
 * A destination may take this many slots while any are free. It takes a further slot only while
 * more slots are free than it has.
 */
const SLOTS_BEFORE_SHARING = 16;
const TOO_MANY_REQUESTS = 429;

export interface DispatchLimits {
  /** How many attempts may be under way at once. */
  slots: number;
  /** How many attempts may be under way at once to one destination. */
  slotsPerDestination: number;
  /**
   * How large the bodies of all attempts under way may be together, bytes. Each of the two shares
   * gets half. A body larger than that half is sent only while no other body of its share is being
   * sent.
   */
  bytes: number;
}

/** The part of an attempt's outcome that changes which attempts follow. */
export interface SlotOutcome {
  timedOut: boolean;
  attempt: Pick<Attempt, 'responseCode' | 'durationMs'>;
}

/** Says how fast deliveries leave a lane. */
export interface Pace {
  /** How many attempts may be under way at once. */
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
   * The destination's class. It is newer than the class in claims, because each attempt updates it
   * at once.
   */
  slotClass: SlotClass;
  concurrency: ClaimedDestination['concurrency'];
  /**
   * How many slots of a fixed concurrency this node has. Null if each claim comes with its own
   * slot.
   */
  slots: number | null;
  /**
   * Claims whose attempts are under way. A claim that has only begun has a place, but no slot yet.
   */
  started: Set<ClaimedDelivery>;
  /** The limit that applies if `concurrency` isn't a number. */
  limit: ConcurrencyLimit;
}

/**
 * All lanes of destinations with many slots, or all lanes of those with one slot, with their
 * totals.
 */
interface Share {
  /** Lanes that can start a delivery as soon as a slot is free, in the order of their turns. */
  ready: Set<Lane>;
  waiting: number;
  running: number;
  runningBytes: number;
}

/**
 * Decides which delivery is attempted next. Each destination has a lane, where its claimed
 * deliveries wait. Lanes take turns, so a destination with a million waiting deliveries gets no
 * more turns than one with two.
 *
 * Each destination has its own limit (a `ConcurrencyLimit` or a fixed number). The number of free
 * slots is a second limit: a destination that has sixteen slots or more takes a further one only
 * while more slots are free than it has. So one slow destination takes at most half of all slots,
 * two take a third each, and the next destination finds a free slot. If sixteen or more
 * destinations are slow, each has at most sixteen slots, and they take turns.
 *
 * A destination that is untried or that timed out (`SlotClass`) gets one slot. All such
 * destinations together get at most half of the slots and half of the bytes. Destinations with many
 * slots get the other half of the bytes. So a thousand hanging destinations can fill only their own
 * half for as long as an attempt may take.
 */
export class Dispatcher {
  readonly #limits: DispatchLimits;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #knownLimits: KnownLimits;
  readonly #lanes = new Map<number, Lane>();
  readonly #manySlots: Share = { ready: new Set(), waiting: 0, running: 0, runningBytes: 0 };
  readonly #oneSlot: Share = { ready: new Set(), waiting: 0, running: 0, runningBytes: 0 };
  #isOneSlotsTurn = false;

  /** The estimated time that `QueueStore.begin` takes. */
  readonly beginning = new Estimate();

  constructor(limits: DispatchLimits, clock: Pick<Clock, 'monotonic'> = systemClock) {
    this.#limits = limits;
    this.#clock = clock;
    this.#knownLimits = new KnownLimits(limits.slotsPerDestination);
  }

  get waiting(): number {
    return this.#manySlots.waiting + this.#oneSlot.waiting;
  }

  /** How many deliveries wait for destinations with one slot. */
  get waitingOneSlot(): number {
    return this.#oneSlot.waiting;
  }

  get running(): number {
    return this.#manySlots.running + this.#oneSlot.running;
  }

  /**
   * Whether the destination has one slot. False if no delivery of it is here, because its class is
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

  /** How many attempts are under way to the destination. */
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

  /** Returns the keys of the destinations with deliveries here. */
  keys(): Iterable<number> {
    return this.#lanes.keys();
  }

  /** Returns how many slots of each fixed concurrency this node has, by destination. */
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
   * Takes a slot for the next delivery, and returns the delivery. Returns null if none may begin
   * now. With a rate or a fixed concurrency, a delivery begins (`QueueStore.begin`) before its
   * request may start. `start` says whether the request may start.
   */
  next(): ClaimedDelivery | null {
    if (this.running >= this.#limits.slots) return null;
    const mayOneSlot = this.#oneSlot.running < Math.floor(this.#limits.slots / 2);
    // The shares alternate, so neither has to wait until the other is empty. A share whose next
    // body doesn't fit loses its turn.
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
   * Returns the first ready lane that may take a slot. It skips few lanes, because each skipped
   * lane has at least `SLOTS_BEFORE_SHARING` slots.
   */
  #firstWithRoom(share: Share): Lane | undefined {
    const free = this.#limits.slots - this.running;
    for (const lane of share.ready) {
      if (lane.running < SLOTS_BEFORE_SHARING || lane.running < free) return lane;
    }
    return undefined;
  }

  /** Whether a delivery that `next` returned may start now. If so, it counts as started. */
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

  /** Updates a destination's class and limit after an attempt, before `done` frees its slot. */
  learn(destinationKey: number, outcome: SlotOutcome): void {
    const lane = this.#lanes.get(destinationKey) as Lane;
    const { durationMs } = outcome.attempt;
    const result = resultOf(outcome);
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

  /** Frees the slot of a delivery that `next` returned. */
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

  /** Sets the lane's class, and moves the lane's counts to its new share. */
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
   * Removes and returns the deliveries that wait for a destination. The first `keep` (at least 1)
   * stay.
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

  /** Removes and returns all waiting deliveries. */
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

  /** Returns how many attempts may be under way at once to the lane's destination. */
  #mostOf({ slotClass, concurrency, slots, limit }: Lane): number {
    const own = slots ?? (typeof concurrency === 'number' ? concurrency : limit.limit);
    return slotsFor(slotClass, Math.min(own, this.#limits.slotsPerDestination));
  }

  /**
   * Returns how many deliveries of the lane may have begun at once. Some of them may begin before
   * they have slots.
   */
  #placesOf(lane: Lane): number {
    const most = this.#mostOf(lane);
    const { latencyMs } = lane.limit;
    // The rate has already limited the deliveries that have a start.
    if (lane.queue[0]?.start) return this.#limits.slots;
    if (lane.slots === null || latencyMs === null || !hasManySlots(lane.slotClass)) return most;
    // Twice the attempts that end during one `begin`, because attempts that began together end
    // together.
    const ending = (2 * this.beginning.ms * most) / Math.max(1, latencyMs);
    return most + Math.min(most, Math.round(ending));
  }

  /**
   * Adds the lane to the ready lanes or removes it from them, as its queue and its limit demand.
   */
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

/** Returns the place behind the deliveries that people retry by hand. */
function firstOther(queue: readonly ClaimedDelivery[]): number {
  const place = queue.findIndex(({ byHand }) => !byHand);
  return place === -1 ? queue.length : place;
}

/**
 * Returns null for errors other than a 429 or a timeout, because how long they took says nothing
 * about the destination's work.
 */
function resultOf({ timedOut, attempt }: SlotOutcome): 'answered' | 'dropped' | null {
  const { responseCode } = attempt;
  if (timedOut || responseCode === TOO_MANY_REQUESTS) return 'dropped';
  return isSuccess(responseCode) ? 'answered' : null;
}
