import { hasManySlots } from '../../core/flow/slot-class.ts';
import type { ClaimedDestination } from '../../store/contract/claims.ts';
import { START_LIMIT } from './concurrency-limit.ts';
import type { Dispatcher, Pace } from './dispatcher.ts';

/** How many claims may wait in memory. Further deliveries stay in the table. */
const MAX_WAITING = 4096;
/**
 * How many of them may be for destinations with one slot. Their backlog must leave room for others.
 */
const MAX_WAITING_ONE_SLOT = MAX_WAITING / 2;
/** How many claims may wait for one destination. */
const MAX_WAITING_PER_DESTINATION = 256;
/**
 * How many claims may wait for a destination with one slot, because thousands of these must fit.
 */
export const MAX_WAITING_PER_ONE_SLOT = 1;
/**
 * How many claims may wait per attempt that the destination may have at once. The number falls as
 * memory fills.
 */
const WAITING_PER_SLOT = 4;
/** A fast destination gets the claims that it needs for this time, ms. A poll takes a few ms. */
const SUPPLIED_FOR_MS = 100;
/**
 * A lane gets as many claims as leave it during `POLLS_SUPPLIED` polls. It runs low when it has
 * only those of `POLLS_LEFT` polls: the poll under way may leave the lane out, and the next poll
 * takes time.
 */
const POLLS_SUPPLIED = 4;
const POLLS_LEFT = 2;
/**
 * How many places the backlogs of slow destinations leave free. Fast destinations and commits get
 * them.
 */
const RESERVED = 512;
/**
 * With fewer free places than this, a poll isn't worth its cost: it takes a step for each
 * destination.
 */
const REFILL_ROOM = 256;
/**
 * A lane runs low, and gets more deliveries from the table, when it has less than this share of the
 * claims that may wait for its destination.
 */
const REFILL_AT = 0.25;

/** How many deliveries a poll may claim. */
export interface PollRoom {
  limit: number;
  oneSlotLimit: number;
  /** For each destination that has no lane here. */
  perDestination: number;
}

/**
 * Counts how many more claims may wait in memory, and says when to poll the table for them.
 *
 * How many claims may wait for a destination depends on its speed. A slow destination may have a
 * small multiple of its limit, and fewer as memory fills. So hundreds of slow destinations with a
 * backlog fit, and leave room for others. A fast destination may always have the claims of a tenth
 * of a second, because they leave soon.
 *
 * A poll takes at most half of the free places. The rest is for destinations that the poll didn't
 * reach.
 */
export class ClaimRoom {
  readonly #dispatcher: Pick<
    Dispatcher,
    'waiting' | 'waitingOneSlot' | 'hasOneSlot' | 'waitingFor' | 'paceOf'
  >;

  readonly #pollMs: () => number;

  /** @param pollMs returns how long a poll takes, ms; 0 if the store is on this machine */
  constructor(dispatcher: Dispatcher, pollMs: () => number = () => 0) {
    this.#dispatcher = dispatcher;
    this.#pollMs = pollMs;
  }

  /** Returns the free places for all destinations together, and for those with one slot. */
  free(): { limit: number; oneSlotLimit: number } {
    const { waiting, waitingOneSlot } = this.#dispatcher;
    return {
      limit: Math.max(0, MAX_WAITING - waiting),
      oneSlotLimit: Math.max(0, MAX_WAITING_ONE_SLOT - waitingOneSlot),
    };
  }

  /** Returns how many deliveries one poll may claim. */
  forPoll(): PollRoom {
    const { limit, oneSlotLimit } = this.free();
    return {
      limit: Math.ceil(limit / 2),
      oneSlotLimit,
      perDestination: this.#depthAt({ limit: START_LIMIT, latencyMs: null }),
    };
  }

  /** Whether one of the two shares has enough free places for a poll. */
  isWorthAPoll(): boolean {
    const { limit, oneSlotLimit } = this.free();
    const manySlotsRoom = limit - Math.min(limit, oneSlotLimit);
    return limit >= REFILL_ROOM && (oneSlotLimit >= REFILL_ROOM || manySlotsRoom >= REFILL_ROOM);
  }

  /** Whether destinations with one slot have enough free places for a poll. */
  isWorthAPollForOneSlot(): boolean {
    return this.free().oneSlotLimit >= REFILL_ROOM;
  }

  runsLow(destinationKey: number): boolean {
    const hasOneSlot = this.#dispatcher.hasOneSlot(destinationKey);
    const enough = hasOneSlot ? MAX_WAITING_PER_ONE_SLOT : this.#lowAt(destinationKey);
    return this.#dispatcher.waitingFor(destinationKey) < enough;
  }

  /** Returns how many claims of the destination may wait in memory at present. */
  mostWaitingFor({ key, slotClass }: ClaimedDestination): number {
    return hasManySlots(slotClass) ? this.depthOf(key) : MAX_WAITING_PER_ONE_SLOT;
  }

  /** Returns how many claims may wait at present for a destination with many slots. */
  depthOf(destinationKey: number): number {
    const pace = this.#dispatcher.paceOf(destinationKey);
    return this.#depthAt(pace ?? { limit: START_LIMIT, latencyMs: null });
  }

  #lowAt(destinationKey: number): number {
    const pace = this.#dispatcher.paceOf(destinationKey);
    const depth = this.depthOf(destinationKey);
    const leaving = pace ? leavingIn(POLLS_LEFT * this.#pollMs(), pace) : 0;
    return Math.ceil(Math.max(depth * REFILL_AT, Math.min(leaving, depth / 2)));
  }

  #depthAt({ limit, latencyMs }: Pace): number {
    const room = (this.free().limit - RESERVED) / (MAX_WAITING - RESERVED);
    const forSlots = limit * WAITING_PER_SLOT * Math.max(0, room);
    const forMs = SUPPLIED_FOR_MS + POLLS_SUPPLIED * this.#pollMs();
    const forTime = leavingIn(forMs, { limit, latencyMs });
    const depth = Math.ceil(Math.max(forSlots, forTime));
    return Math.min(MAX_WAITING_PER_DESTINATION, Math.max(1, depth));
  }
}

/** Returns how many claims leave a lane in this time. */
function leavingIn(ms: number, { limit, latencyMs }: Pace): number {
  return latencyMs === null ? 0 : (limit * ms) / Math.max(1, latencyMs);
}
