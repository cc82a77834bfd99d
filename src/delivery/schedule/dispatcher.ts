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
 * A destination may take this many slots while any are free. Beyond that, it leaves at least as
 * many slots free as it has.
 */
const SLOTS_BEFORE_SHARING = 16;
const TOO_MANY_REQUESTS = 429;

export interface DispatchLimits {
  /** Attempts under way at once. */
  slots: number;
  /** Attempts under way at once to any one destination. */
  slotsPerDestination: number;
  /**
   * Most bytes in the bodies of all attempts under way. Each share gets half. A larger body goes
   * alone.
   */
  bytes: number;
}

/** The part of an attempt's outcome that the next attempts depend on. */
export interface SlotOutcome {
  timedOut: boolean;
  attempt: Pick<Attempt, 'responseCode' | 'durationMs'>;
}

/** How fast a lane's deliveries leave. */
export interface Pace {
  /** Attempts that may be under way at once. */
  limit: number;
  /** Latency of an attempt, ms; null while unknown. */
  latencyMs: number | null;
}

interface Lane {
  destinationKey: number;
  queue: ClaimedDelivery[];
  running: number;
  runningBytes: number;
  /** Newer than the class in claims, because each attempt updates it at once. */
  slotClass: SlotClass;
  concurrency: ClaimedDestination['concurrency'];
  /** This node's slots of a fixed concurrency; null where each claim is one. */
  slots: number | null;
  /** Claims whose attempts are under way. Claims that only begin have a place, but no slot yet. */
  started: Set<ClaimedDelivery>;
  /** Applies where `concurrency` isn't a number. */
  limit: ConcurrencyLimit;
}

/** All lanes of destinations with many slots, or of those with one, with their totals. */
interface Share {
  /** Lanes that can start a delivery once a slot is free, in the order of their turns. */
  ready: Set<Lane>;
  waiting: number;
  running: number;
  runningBytes: number;
}

/**
 * Decides which delivery is attempted next. Each destination has a lane, where its claimed
 * deliveries wait. Lanes take turns: a destination with a million waiting deliveries gets no more
 * turns than one with two.
 *
 * Each destination has its own limit (`ConcurrencyLimit`, or a fixed number). Below it, the number
 * of free slots decides: beyond its first sixteen slots, a destination has no more than are free.
 * So one slow destination takes at most half of all slots, two take a third each, and the next
 * destination finds a free slot. With sixteen or more slow destinations, each has at most sixteen
 * slots, and they take turns.
 *
 * Destinations that are untried or timed out (`SlotClass`) get one slot each, and at most half of
 * all slots together. They share half of the bytes, and destinations with many slots the other
 * half. So a thousand hanging destinations can fill their half for as long as an attempt may take,
 * but never the other one.
 */
export class Dispatcher {
  readonly #limits: DispatchLimits;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #knownLimits: KnownLimits;
  readonly #lanes = new Map<number, Lane>();
  readonly #manySlots: Share = { ready: new Set(), waiting: 0, running: 0, runningBytes: 0 };
  readonly #oneSlot: Share = { ready: new Set(), waiting: 0, running: 0, runningBytes: 0 };
  #isOneSlotsTurn = false;

  /** How long `QueueStore.begin` takes. */
  readonly beginning = new Estimate();

  constructor(limits: DispatchLimits, clock: Pick<Clock, 'monotonic'> = systemClock) {
    this.#limits = limits;
    this.#clock = clock;
    this.#knownLimits = new KnownLimits(limits.slotsPerDestination);
  }

  get waiting(): number {
    return this.#manySlots.waiting + this.#oneSlot.waiting;
  }

  /** Deliveries that wait for destinations with one slot. */
  get waitingOneSlot(): number {
    return this.#oneSlot.waiting;
  }

  get running(): number {
    return this.#manySlots.running + this.#oneSlot.running;
  }

  /** False for a destination without deliveries here, whose class the dispatcher doesn't know. */
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

  /** Attempts under way to the destination. */
  startedTo(destinationKey: number): number {
    return this.#lanes.get(destinationKey)?.started.size ?? 0;
  }

  /** How many more deliveries of these destinations could start within `withinMs`, by key. */
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

  /** Keys of the destinations with deliveries here. */
  keys(): Iterable<number> {
    return this.#lanes.keys();
  }

  /** This node's shares of fixed concurrencies, by destination. */
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

  /** Null for a destination without deliveries here. */
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
   * Takes a slot for the next delivery and returns the delivery; null when none may begin now. With
   * a rate or a fixed concurrency, deliveries begin ahead, and `start` says when they may start.
   */
  next(): ClaimedDelivery | null {
    if (this.running >= this.#limits.slots) return null;
    const mayOneSlot = this.#oneSlot.running < Math.floor(this.#limits.slots / 2);
    // The shares alternate, so neither waits until the other is empty. A share whose next body
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

  /** Skips few lanes: each of them has `SLOTS_BEFORE_SHARING` slots or more. */
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

  /** Sets the lane's class, and moves its counts to its new share. */
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
   * Removes and returns the deliveries that wait for a destination, except for the first `keep` (at
   * least 1).
   */
  takeBack(destinationKey: number, keep: number): ClaimedDelivery[] {
    const lane = this.#lanes.get(destinationKey);
    if (!lane) return [];
    const surplus = lane.queue.splice(keep);
    this.#shareOf(lane).waiting -= surplus.length;
    return surplus;
  }

  /** All waiting deliveries, in no particular order. */
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

  /** Attempts that may be under way at once to the lane's destination. */
  #mostOf({ slotClass, concurrency, slots, limit }: Lane): number {
    const own = slots ?? (typeof concurrency === 'number' ? concurrency : limit.limit);
    return slotsFor(slotClass, Math.min(own, this.#limits.slotsPerDestination));
  }

  /** Deliveries that may have begun at once, some of them ahead of their slots. */
  #placesOf(lane: Lane): number {
    const most = this.#mostOf(lane);
    const { latencyMs } = lane.limit;
    // The rate has already limited these.
    if (lane.queue[0]?.start) return this.#limits.slots;
    if (lane.slots === null || latencyMs === null || !hasManySlots(lane.slotClass)) return most;
    // Twice the attempts that end during one `begin`: those that began together end together.
    const ending = (2 * this.beginning.ms * most) / Math.max(1, latencyMs);
    return most + Math.min(most, Math.round(ending));
  }

  /** Adds the lane to the ready lanes, or removes it, by its queue and its limit. */
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

/** The place behind the deliveries that people retry. */
function firstOther(queue: readonly ClaimedDelivery[]): number {
  const place = queue.findIndex(({ byHand }) => !byHand);
  return place === -1 ? queue.length : place;
}

/** Null for errors other than a 429 or a timeout: their durations say nothing about work. */
function resultOf({ timedOut, attempt }: SlotOutcome): 'answered' | 'dropped' | null {
  const { responseCode } = attempt;
  if (timedOut || responseCode === TOO_MANY_REQUESTS) return 'dropped';
  return isSuccess(responseCode) ? 'answered' : null;
}
