import { hasManySlots } from '../../core/flow/slot-class.ts';
import type { ClaimedDelivery, ClaimTerms } from '../../store/contract/claims.ts';
import { type ClaimRoom, MAX_WAITING_PER_ONE_SLOT, type PollRoom } from './claim-room.ts';

/**
 * Knows which destinations have due, unclaimed deliveries in the table.
 *
 * Such a destination is behind. Its new deliveries then stay in the table too: the
 * oldest go first. A lane that runs low asks for the next ones.
 */
export class Backlog {
  readonly #room: ClaimRoom;
  readonly #behind = new Set<number>();
  /** The last look at the table was cut short or skipped, for lack of room. */
  #hasMore = false;
  /** The last look claimed as many deliveries of destinations with one slot as memory had room for. */
  #hasMoreOneSlot = false;

  constructor(room: ClaimRoom) {
    this.#room = room;
  }

  /** Keys of the destinations that are behind. */
  get behind(): ReadonlySet<number> {
    return this.#behind;
  }

  get hasMoreOneSlot(): boolean {
    return this.#hasMoreOneSlot;
  }

  add(destinationKey: number): void {
    this.#behind.add(destinationKey);
  }

  /** Whether memory has room for a look at the table. If not, the look is made up for later. */
  mayPoll(): boolean {
    this.#hasMore = !this.#room.isWorthAPoll();
    return !this.#hasMore;
  }

  /** Whether memory now has room for deliveries that the last look left in the table. */
  isWorthAPoll(): boolean {
    if (this.#hasMore && this.#room.isWorthAPoll()) return true;
    return this.#hasMoreOneSlot && this.#room.isWorthAPollForOneSlot();
  }

  /** Whether the destination is behind and its lane runs low. */
  isWanting(destinationKey: number): boolean {
    return this.#behind.has(destinationKey) && this.#room.runsLow(destinationKey);
  }

  /**
   * How many deliveries a look may claim of the destinations that are behind, by key,
   * where it isn't `perDestination`.
   */
  depths(perDestination: number): ReadonlyMap<number, number> {
    const depths = new Map<number, number>();
    for (const key of this.#behind) {
      const depth = this.#room.depthOf(key);
      if (depth !== perDestination) depths.set(key, depth);
    }
    return depths;
  }

  /** Destinations that are behind but whose lanes have enough. */
  supplied(): ReadonlySet<number> {
    return new Set([...this.#behind].filter((key) => !this.#room.runsLow(key)));
  }

  /**
   * Records the result of a look at the table.
   *
   * @param terms what it could claim, and the destinations that it left out
   */
  onClaimed(
    claims: readonly ClaimedDelivery[],
    terms: PollRoom & Pick<ClaimTerms, 'skip' | 'only' | 'depths'>,
  ): void {
    const withOneSlot = claims.filter(
      ({ destination }) => !hasManySlots(destination.slotClass),
    ).length;
    const { skip, only } = terms;
    // A look at some destinations says nothing of the others.
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

/** Destinations with as many claims as the look could take: the table may have more. */
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
    const ofHealthy = depths?.get(key) ?? perDestination;
    if (count >= (hasManySlots(slotClass) ? ofHealthy : MAX_WAITING_PER_ONE_SLOT)) full.add(key);
  }
  return full;
}
