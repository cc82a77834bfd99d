import { isHealthy } from '../../core/destination-health.ts';
import type { ClaimedDestination } from '../../store/contract/claims.ts';
import type { Dispatcher } from './dispatcher.ts';

/** Most claims that wait in memory. All further deliveries stay in the table. */
const MAX_WAITING = 4096;
/** Most claims that wait for unhealthy destinations: their backlog must not keep the others out. */
const MAX_WAITING_UNHEALTHY = MAX_WAITING / 2;
/** Most claims that wait for one destination. */
export const MAX_WAITING_PER_DESTINATION = 256;
/**
 * Most claims that wait for one unhealthy destination. It has a single slot, so
 * thousands of such destinations fit side by side.
 */
export const MAX_WAITING_PER_UNHEALTHY = 1;
/**
 * With less room than this, a look at the table isn't worth its cost: one step for
 * each destination.
 */
const REFILL_ROOM = 256;
/**
 * A lane with fewer claims than this, and with more deliveries in the table,
 * fetches the next ones.
 */
const REFILL_AT = 64;

/** Counts how many more claims may wait in memory, and says when to ask the table for them. */
export class ClaimRoom {
  readonly #dispatcher: Pick<
    Dispatcher,
    'waiting' | 'waitingUnhealthy' | 'isUnhealthy' | 'waitingFor'
  >;

  constructor(dispatcher: Dispatcher) {
    this.#dispatcher = dispatcher;
  }

  /** Free places for all destinations together, and for unhealthy ones. */
  free(): { limit: number; unhealthyLimit: number } {
    const { waiting, waitingUnhealthy } = this.#dispatcher;
    return {
      limit: Math.max(0, MAX_WAITING - waiting),
      unhealthyLimit: Math.max(0, MAX_WAITING_UNHEALTHY - waitingUnhealthy),
    };
  }

  /** Whether either share has enough free places to ask the table for more. */
  isWorthALook(): boolean {
    const { limit, unhealthyLimit } = this.free();
    const healthyRoom = limit - Math.min(limit, unhealthyLimit);
    return limit >= REFILL_ROOM && (unhealthyLimit >= REFILL_ROOM || healthyRoom >= REFILL_ROOM);
  }

  /** Whether enough places are free for the deliveries of unhealthy destinations in the table. */
  isWorthALookForUnhealthy(): boolean {
    return this.free().unhealthyLimit >= REFILL_ROOM;
  }

  runsLow(destinationKey: number): boolean {
    const isUnhealthy = this.#dispatcher.isUnhealthy(destinationKey);
    const enough = isUnhealthy ? MAX_WAITING_PER_UNHEALTHY : REFILL_AT;
    return this.#dispatcher.waitingFor(destinationKey) < enough;
  }
}

/** Most claims of the destination that wait in memory at a time. */
export function mostWaitingFor({ health }: ClaimedDestination): number {
  return isHealthy(health) ? MAX_WAITING_PER_DESTINATION : MAX_WAITING_PER_UNHEALTHY;
}
