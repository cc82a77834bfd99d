import { hasManySlots } from '../../core/flow/slot-class.ts';
import type { ClaimedDestination } from '../../store/contract/claims.ts';
import { START_LIMIT } from './concurrency-limit.ts';
import type { Dispatcher, Pace } from './dispatcher.ts';

/** Most claims that wait in memory. All further deliveries stay in the table. */
const MAX_WAITING = 4096;
/** Most claims that wait for destinations with one slot: their backlog must not keep the others out. */
const MAX_WAITING_ONE_SLOT = MAX_WAITING / 2;
/** Most claims that wait for one destination. */
const MAX_WAITING_PER_DESTINATION = 256;
/**
 * Most claims that wait for one destination with one slot, so
 * thousands of such destinations fit side by side.
 */
export const MAX_WAITING_PER_ONE_SLOT = 1;
/** Claims that wait for a destination, as a multiple of its limit, while memory has room. */
const WAITING_PER_SLOT = 4;
/** A fast destination gets claims for this long, ms: a look at the table takes a few. */
const SUPPLIED_FOR_MS = 100;
/**
 * Looks for which a lane has claims, and with which it is low: the look under way may miss
 * it, and the next one takes its time.
 */
const POLLS_SUPPLIED = 4;
const POLLS_LEFT = 2;
/** Places for fast destinations and for the claims of commits, when slow backlogs fill the rest. */
const RESERVED = 512;
/**
 * With less room than this, a look at the table isn't worth its cost: one step for
 * each destination.
 */
const REFILL_ROOM = 256;
/**
 * A lane with less than this share of its claims, and with more deliveries in the
 * table, fetches the next ones.
 */
const REFILL_AT = 0.25;

/** How many deliveries a look at the table may claim. */
export interface PollRoom {
  limit: number;
  oneSlotLimit: number;
  /** Of each destination that has no lane here. */
  perDestination: number;
}

/**
 * Counts how many more claims may wait in memory, and says when to ask the table for them.
 *
 * How many wait for one destination follows how fast they leave. A slow destination has
 * a small multiple of its limit, and less as memory fills. So hundreds of slow
 * destinations with a backlog fit side by side, and leave places for others. A fast one
 * always has what it sends in a tenth of a second: its claims leave soon.
 *
 * A look claims for half of the free places at most. What is left is for the destinations
 * that the look didn't reach.
 */
export class ClaimRoom {
  readonly #dispatcher: Pick<
    Dispatcher,
    'waiting' | 'waitingOneSlot' | 'hasOneSlot' | 'waitingFor' | 'paceOf'
  >;

  readonly #lookMs: () => number;

  /** @param lookMs how long a look takes, ms: 0 where the store is near */
  constructor(dispatcher: Dispatcher, lookMs: () => number = () => 0) {
    this.#dispatcher = dispatcher;
    this.#lookMs = lookMs;
  }

  /** Free places for all destinations together, and for those with one slot. */
  free(): { limit: number; oneSlotLimit: number } {
    const { waiting, waitingOneSlot } = this.#dispatcher;
    return {
      limit: Math.max(0, MAX_WAITING - waiting),
      oneSlotLimit: Math.max(0, MAX_WAITING_ONE_SLOT - waitingOneSlot),
    };
  }

  /** What one look may claim. */
  forPoll(): PollRoom {
    const { limit, oneSlotLimit } = this.free();
    return {
      limit: Math.ceil(limit / 2),
      oneSlotLimit,
      perDestination: this.#depthAt({ limit: START_LIMIT, latencyMs: null }),
    };
  }

  /** Whether either share has enough free places to ask the table for more. */
  isWorthAPoll(): boolean {
    const { limit, oneSlotLimit } = this.free();
    const manySlotsRoom = limit - Math.min(limit, oneSlotLimit);
    return limit >= REFILL_ROOM && (oneSlotLimit >= REFILL_ROOM || manySlotsRoom >= REFILL_ROOM);
  }

  /** Whether enough places are free for the deliveries of destinations with one slot in the table. */
  isWorthAPollForOneSlot(): boolean {
    return this.free().oneSlotLimit >= REFILL_ROOM;
  }

  runsLow(destinationKey: number): boolean {
    const hasOneSlot = this.#dispatcher.hasOneSlot(destinationKey);
    const enough = hasOneSlot ? MAX_WAITING_PER_ONE_SLOT : this.#lowAt(destinationKey);
    return this.#dispatcher.waitingFor(destinationKey) < enough;
  }

  /** Most claims of the destination that wait in memory at present. */
  mostWaitingFor({ key, slotClass }: ClaimedDestination): number {
    return hasManySlots(slotClass) ? this.depthOf(key) : MAX_WAITING_PER_ONE_SLOT;
  }

  /** Most claims that wait for a destination with many slots at present. */
  depthOf(destinationKey: number): number {
    const pace = this.#dispatcher.paceOf(destinationKey);
    return this.#depthAt(pace ?? { limit: START_LIMIT, latencyMs: null });
  }

  #lowAt(destinationKey: number): number {
    const pace = this.#dispatcher.paceOf(destinationKey);
    const depth = this.depthOf(destinationKey);
    const leaving = pace ? leavingIn(POLLS_LEFT * this.#lookMs(), pace) : 0;
    return Math.ceil(Math.max(depth * REFILL_AT, Math.min(leaving, depth / 2)));
  }

  #depthAt({ limit, latencyMs }: Pace): number {
    const room = (this.free().limit - RESERVED) / (MAX_WAITING - RESERVED);
    const forSlots = limit * WAITING_PER_SLOT * Math.max(0, room);
    const forMs = SUPPLIED_FOR_MS + POLLS_SUPPLIED * this.#lookMs();
    const forTime = leavingIn(forMs, { limit, latencyMs });
    const depth = Math.ceil(Math.max(forSlots, forTime));
    return Math.min(MAX_WAITING_PER_DESTINATION, Math.max(1, depth));
  }
}

/** How many claims leave a lane in that time. */
function leavingIn(ms: number, { limit, latencyMs }: Pace): number {
  return latencyMs === null ? 0 : (limit * ms) / Math.max(1, latencyMs);
}
