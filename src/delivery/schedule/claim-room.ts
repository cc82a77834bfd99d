import { isHealthy } from '../../core/destination-health.ts';
import type { ClaimedDestination } from '../../store/contract/claims.ts';
import type { Dispatcher } from './dispatcher.ts';

/** Claims held in memory, waiting; what is beyond stays in the table. */
const MAX_WAITING = 4096;
/** Of those, for unhealthy destinations: their backlog must not keep the others' out. */
const MAX_WAITING_UNHEALTHY = MAX_WAITING / 2;
/** Of those, for one destination. */
export const MAX_WAITING_PER_DESTINATION = 256;
/** For an unhealthy one, which has a single slot: thousands of them fit side by side. */
export const MAX_WAITING_PER_UNHEALTHY = 1;
/** Less room than this isn't worth a look at the table, which costs a step for each destination. */
const REFILL_ROOM = 256;
/** When a lane with more in the table has run down to this, the next are fetched. */
const REFILL_AT = 64;

/** How many more claims may wait in memory, and when it is time to ask the table for them. */
export class ClaimRoom {
  readonly #dispatcher: Pick<
    Dispatcher,
    'waiting' | 'waitingUnhealthy' | 'isUnhealthy' | 'waitingFor'
  >;

  constructor(dispatcher: Dispatcher) {
    this.#dispatcher = dispatcher;
  }

  /** Of all destinations together, and of unhealthy ones. */
  free(): { limit: number; unhealthyLimit: number } {
    const { waiting, waitingUnhealthy } = this.#dispatcher;
    return {
      limit: Math.max(0, MAX_WAITING - waiting),
      unhealthyLimit: Math.max(0, MAX_WAITING_UNHEALTHY - waitingUnhealthy),
    };
  }

  /** Whether enough places are free, for either share, to ask the table for more. */
  isWorthALook(): boolean {
    const { limit, unhealthyLimit } = this.free();
    const healthyRoom = limit - Math.min(limit, unhealthyLimit);
    return limit >= REFILL_ROOM && (unhealthyLimit >= REFILL_ROOM || healthyRoom >= REFILL_ROOM);
  }

  /** Whether enough places are free for the unhealthy that wait in the table. */
  isWorthALookForUnhealthy(): boolean {
    return this.free().unhealthyLimit >= REFILL_ROOM;
  }

  runsLow(destinationKey: number): boolean {
    const isUnhealthy = this.#dispatcher.isUnhealthy(destinationKey);
    const enough = isUnhealthy ? MAX_WAITING_PER_UNHEALTHY : REFILL_AT;
    return this.#dispatcher.waitingFor(destinationKey) < enough;
  }
}

/** How many claims of a destination memory takes at a time. */
export function mostWaitingFor({ health }: ClaimedDestination): number {
  return isHealthy(health) ? MAX_WAITING_PER_DESTINATION : MAX_WAITING_PER_UNHEALTHY;
}
