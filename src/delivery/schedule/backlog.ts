import { isHealthy } from '../../core/destination-health.ts';
import type { ClaimedDelivery } from '../../store/contract/claims.ts';
import { type ClaimRoom, mostWaitingFor } from './claim-room.ts';

/**
 * What memory knows of due deliveries that wait in the table, unclaimed.
 *
 * A destination is behind while the table has some of its. Its new deliveries then
 * stay in the table too: the oldest go first. A lane that runs low asks for the
 * next of them.
 */
export class Backlog {
  readonly #room: ClaimRoom;
  readonly #behind = new Set<number>();
  /** The last look at the table was cut short, or left out, for want of room. */
  #hasMore = false;
  /** The last look took all the unhealthy that memory has room for. */
  #hasMoreUnhealthy = false;

  constructor(room: ClaimRoom) {
    this.#room = room;
  }

  /** Keys of the destinations that are behind. */
  get behind(): ReadonlySet<number> {
    return this.#behind;
  }

  get hasMoreUnhealthy(): boolean {
    return this.#hasMoreUnhealthy;
  }

  add(destinationKey: number): void {
    this.#behind.add(destinationKey);
  }

  /** Whether there is room for a look at the table; if not, one is owed. */
  mayLook(): boolean {
    this.#hasMore = !this.#room.isWorthALook();
    return !this.#hasMore;
  }

  /** Whether memory has room now for what the last look had to leave in the table. */
  isWorthALook(): boolean {
    if (this.#hasMore && this.#room.isWorthALook()) return true;
    return this.#hasMoreUnhealthy && this.#room.isWorthALookForUnhealthy();
  }

  /** Whether the destination is behind, and its lane can take the next of its deliveries. */
  isWanting(destinationKey: number): boolean {
    return this.#behind.has(destinationKey) && this.#room.runsLow(destinationKey);
  }

  /** Destinations that are behind, and whose lanes have enough. */
  supplied(): ReadonlySet<number> {
    return new Set([...this.#behind].filter((key) => !this.#room.runsLow(key)));
  }

  /**
   * Takes note of a look at the table.
   *
   * @param room what it could claim
   * @param skipped the destinations that it left out
   */
  onClaimed(
    claims: readonly ClaimedDelivery[],
    room: ReturnType<ClaimRoom['free']>,
    skipped: ReadonlySet<number>,
  ): void {
    const unhealthy = claims.filter(({ destination }) => !isHealthy(destination.health)).length;
    this.#hasMore = claims.length >= room.limit;
    this.#hasMoreUnhealthy = unhealthy >= room.unhealthyLimit;
    const hasMore = fullyTaken(claims);
    for (const key of hasMore) this.#behind.add(key);
    if (this.#hasMore || this.#hasMoreUnhealthy) return;
    for (const key of this.#behind) {
      if (!skipped.has(key) && !hasMore.has(key)) this.#behind.delete(key);
    }
  }
}

/** Destinations of which as many were claimed as memory takes: the table may have more. */
function fullyTaken(claims: readonly ClaimedDelivery[]): Set<number> {
  const taken = new Map<number, number>();
  const full = new Set<number>();
  for (const { destination } of claims) {
    const count = (taken.get(destination.key) ?? 0) + 1;
    taken.set(destination.key, count);
    if (count >= mostWaitingFor(destination)) full.add(destination.key);
  }
  return full;
}
