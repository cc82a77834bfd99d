import { isProven } from '../../core/proven.ts';
import type { ClaimedDestination } from '../../store/contract/claims.ts';
import type { Dispatcher } from './dispatcher.ts';

/** Claims held in memory, waiting; what is beyond stays in the table. */
const MAX_WAITING = 4096;
/** Of those, for suspect destinations: their backlog must not keep the others' out. */
const MAX_WAITING_SUSPECTS = MAX_WAITING / 2;
/** Of those, for one destination. */
export const MAX_WAITING_PER_DESTINATION = 256;
/** For a suspect one, which has a single slot: thousands of them fit side by side. */
export const MAX_WAITING_PER_SUSPECT = 1;
/** Less room than this isn't worth a look at the table, which costs a step for each destination. */
const REFILL_ROOM = 256;
/** When a lane with more in the table has run down to this, the next are fetched. */
const REFILL_AT = 64;

/** How many more claims may wait in memory, and when it is time to ask the table for them. */
export class ClaimRoom {
  readonly #dispatcher: Dispatcher;

  constructor(dispatcher: Dispatcher) {
    this.#dispatcher = dispatcher;
  }

  /** Of all destinations together, and of suspect ones. */
  free(): { limit: number; suspectLimit: number } {
    const { waiting, waitingSuspects } = this.#dispatcher;
    return {
      limit: Math.max(0, MAX_WAITING - waiting),
      suspectLimit: Math.max(0, MAX_WAITING_SUSPECTS - waitingSuspects),
    };
  }

  /** Whether enough places are free, of either kind, to ask the table for more. */
  isWorthALook(): boolean {
    const { limit, suspectLimit } = this.free();
    const provenRoom = limit - Math.min(limit, suspectLimit);
    return limit >= REFILL_ROOM && (suspectLimit >= REFILL_ROOM || provenRoom >= REFILL_ROOM);
  }

  /** Whether enough are free for suspects that wait in the table. */
  isWorthALookForSuspects(): boolean {
    return this.free().suspectLimit >= REFILL_ROOM;
  }

  runsLow(destinationKey: number): boolean {
    const isSuspect = this.#dispatcher.isSuspect(destinationKey);
    const enough = isSuspect ? MAX_WAITING_PER_SUSPECT : REFILL_AT;
    return this.#dispatcher.waitingFor(destinationKey) < enough;
  }
}

/** How many claims of a destination memory takes at a time. */
export function mostWaitingFor(destination: ClaimedDestination): number {
  return isProven(destination) ? MAX_WAITING_PER_DESTINATION : MAX_WAITING_PER_SUSPECT;
}
