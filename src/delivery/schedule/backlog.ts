import { hasManySlots } from '../../core/flow/slot-class.ts';
import type { ClaimedDelivery, ClaimTerms } from '../../store/contract/claims.ts';
import { type ClaimRoom, MAX_WAITING_PER_ONE_SLOT, type PollRoom } from './claim-room.ts';

/**
 * Tracks the destinations that are behind. A destination is behind while the table has due,
 * unclaimed deliveries of it. Its new deliveries stay in the table too, so that the oldest go
 * first. The intake refills its lane from the table.
 */
export class Backlog {
  readonly #room: ClaimRoom;
  readonly #behind = new Set<number>();
  /** Whether the last poll left deliveries in the table because memory had too little room. */
  #hasMore = false;
  /** Whether the last poll used all the room for destinations with one slot. */
  #hasMoreOneSlot = false;

  constructor(room: ClaimRoom) {
    this.#room = room;
  }

  get behind(): ReadonlySet<number> {
    return this.#behind;
  }

  get hasMoreOneSlot(): boolean {
    return this.#hasMoreOneSlot;
  }

  add(destinationKey: number): void {
    this.#behind.add(destinationKey);
  }

  /**
   * Whether memory has room for a poll. If not, `isWorthAPoll` becomes true when a poll is
   * possible.
   */
  mayPoll(): boolean {
    this.#hasMore = !this.#room.isWorthAPoll();
    return !this.#hasMore;
  }

  /** Whether memory has room for deliveries that the last poll left in the table. */
  isWorthAPoll(): boolean {
    if (this.#hasMore && this.#room.isWorthAPoll()) return true;
    return this.#hasMoreOneSlot && this.#room.isWorthAPollForOneSlot();
  }

  /** Whether the destination is behind and its lane runs low. */
  isWanting(destinationKey: number): boolean {
    return this.#behind.has(destinationKey) && this.#room.runsLow(destinationKey);
  }

  /**
   * Returns the number of deliveries that a poll may claim for each destination that is behind, by
   * key. Omits destinations whose number is `perDestination`.
   */
  depths(perDestination: number): ReadonlyMap<number, number> {
    const depths = new Map<number, number>();
    for (const key of this.#behind) {
      const depth = this.#room.depthOf(key);
      if (depth !== perDestination) depths.set(key, depth);
    }
    return depths;
  }

  /** Returns the destinations that are behind but have enough claims in their lanes. */
  supplied(): ReadonlySet<number> {
    return new Set([...this.#behind].filter((key) => !this.#room.runsLow(key)));
  }

  /** Records the result of a poll. */
  onClaimed(
    claims: readonly ClaimedDelivery[],
    terms: PollRoom & Pick<ClaimTerms, 'skip' | 'only' | 'depths'>,
  ): void {
    const withOneSlot = claims.filter(
      ({ destination }) => !hasManySlots(destination.slotClass),
    ).length;
    const { skip, only } = terms;
    // A poll for some destinations says nothing about other destinations.
    this.#hasMore = claims.length >= terms.limit || (only !== undefined && this.#hasMore);
    this.#hasMoreOneSlot =
      withOneSlot >= terms.oneSlotLimit || (only !== undefined && this.#hasMoreOneSlot);
    const hasMore = fullyTaken(claims, terms);
    for (const key of hasMore) this.#behind.add(key);
    if (this.#hasMore || this.#hasMoreOneSlot) return;
    for (const key of only ?? this.#behind) {
      if (!skip.has(key) && !hasMore.has(key)) this.#behind.delete(key);
    }
  }
}

/**
 * Returns the destinations whose full allowance was claimed. The table may have more of their
 * deliveries.
 */
function fullyTaken(
  claims: readonly ClaimedDelivery[],
  { perDestination, depths }: Pick<PollRoom, 'perDestination'> & Pick<ClaimTerms, 'depths'>,
): Set<number> {
  const taken = new Map<number, number>();
  const full = new Set<number>();
  for (const { destination } of claims) {
    const { key, slotClass } = destination;
    const count = (taken.get(key) ?? 0) + 1;
    taken.set(key, count);
    const depth = depths?.get(key) ?? perDestination;
    if (count >= (hasManySlots(slotClass) ? depth : MAX_WAITING_PER_ONE_SLOT)) full.add(key);
  }
  return full;
}
