import { hasManySlots } from '../../core/flow/slot-class.ts';
import type { ClaimedDestination } from '../../store/contract/claims.ts';
import { START_LIMIT } from './concurrency-limit.ts';
import type { Dispatcher, Pace } from './dispatcher.ts';

/** The largest number of claims that wait in memory. Further deliveries stay in the table. */
const MAX_WAITING = 4096;
/**
 * The largest number of waiting claims for destinations with one slot. It leaves room for other
 * destinations.
 */
const MAX_WAITING_ONE_SLOT = MAX_WAITING / 2;
/**
 * The largest number of waiting claims for a destination with one slot. It is small because
 * thousands of such destinations must fit.
 */
export const MAX_WAITING_PER_ONE_SLOT = 1;
/** The number of claims that may wait for each slot of a destination. It falls as memory fills. */
const WAITING_PER_SLOT = 4;
/** The time for which a fast destination gets enough claims, ms. It falls as memory fills. */
const SUPPLIED_FOR_MS = 1000;
/** The time for which it always gets enough claims, ms. A poll takes a few ms. */
const ALWAYS_SUPPLIED_FOR_MS = 100;
/**
 * A lane gets the claims that leave it during `POLLS_SUPPLIED` polls. It runs low at the claims of
 * `POLLS_LEFT` polls, because the poll under way may omit the lane and the next poll takes time.
 */
const POLLS_SUPPLIED = 4;
const POLLS_LEFT = 2;
/** The room that backlogs of slow destinations leave for fast destinations and commits, claims. */
const RESERVED = 512;
/** The smallest room that is worth a poll, claims. A poll costs a step for each destination. */
const REFILL_ROOM = 256;
/** The share of a destination's allowed claims below which its lane runs low. */
const REFILL_AT = 0.25;

/** The largest numbers of deliveries that a poll may claim. */
export interface PollRoom {
  limit: number;
  oneSlotLimit: number;
  /** For each destination that has no lane here. */
  perDestination: number;
}

/**
 * Counts the free room for claims in memory, and decides when a poll is worthwhile.
 *
 * The room of a destination depends on its speed. A slow destination may have a small multiple of
 * its limit, and less as memory fills. So hundreds of slow destinations with a backlog fit. A fast
 * destination may have the claims of a second, and of a tenth of a second in full memory, because they
 * leave soon. So its deliveries go from the commit to its lane, and not through the table. No
 * destination takes more room than is free.
 *
 * A poll takes at most half of the free room. The rest is for destinations that the poll didn't
 * reach.
 */
export class ClaimRoom {
  readonly #dispatcher: Pick<
    Dispatcher,
    'waiting' | 'waitingOneSlot' | 'hasOneSlot' | 'waitingFor' | 'paceOf'
  >;

  readonly #pollMs: () => number;

  /** @param pollMs returns the duration of a poll, ms; 0 if the store is on this machine */
  constructor(dispatcher: Dispatcher, pollMs: () => number = () => 0) {
    this.#dispatcher = dispatcher;
    this.#pollMs = pollMs;
  }

  /** Returns the free room for all destinations together, and for those with one slot. */
  free(): { limit: number; oneSlotLimit: number } {
    const { waiting, waitingOneSlot } = this.#dispatcher;
    return {
      limit: Math.max(0, MAX_WAITING - waiting),
      oneSlotLimit: Math.max(0, MAX_WAITING_ONE_SLOT - waitingOneSlot),
    };
  }

  forPoll(): PollRoom {
    const { limit, oneSlotLimit } = this.free();
    return {
      limit: Math.ceil(limit / 2),
      oneSlotLimit,
      perDestination: this.#depthAt({ limit: START_LIMIT, latencyMs: null }),
    };
  }

  /** Whether either kind of destination has enough room for a poll. */
  isWorthAPoll(): boolean {
    const { limit, oneSlotLimit } = this.free();
    const manySlotsRoom = limit - Math.min(limit, oneSlotLimit);
    return limit >= REFILL_ROOM && (oneSlotLimit >= REFILL_ROOM || manySlotsRoom >= REFILL_ROOM);
  }

  isWorthAPollForOneSlot(): boolean {
    return this.free().oneSlotLimit >= REFILL_ROOM;
  }

  runsLow(destinationKey: number): boolean {
    const hasOneSlot = this.#dispatcher.hasOneSlot(destinationKey);
    const enough = hasOneSlot ? MAX_WAITING_PER_ONE_SLOT : this.#lowAt(destinationKey);
    return this.#dispatcher.waitingFor(destinationKey) < enough;
  }

  /** Returns the largest number of claims that may wait for the destination at present. */
  mostWaitingFor({ key, slotClass }: ClaimedDestination): number {
    return hasManySlots(slotClass) ? this.depthOf(key) : MAX_WAITING_PER_ONE_SLOT;
  }

  /**
   * Returns the largest number of claims that may wait for a destination with many slots at
   * present.
   */
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

  #depthAt(pace: Pace): number {
    const { limit: free } = this.free();
    const room = Math.max(0, (free - RESERVED) / (MAX_WAITING - RESERVED));
    const forSlots = pace.limit * WAITING_PER_SLOT * room;
    const forMs = Math.max(SUPPLIED_FOR_MS * room, ALWAYS_SUPPLIED_FOR_MS);
    const forTime = leavingIn(forMs + POLLS_SUPPLIED * this.#pollMs(), pace);
    return Math.max(1, Math.min(Math.ceil(Math.max(forSlots, forTime)), free));
  }
}

/** Returns how many claims leave a lane in this time. */
function leavingIn(ms: number, { limit, latencyMs }: Pace): number {
  return latencyMs === null ? 0 : (limit * ms) / Math.max(1, latencyMs);
}
