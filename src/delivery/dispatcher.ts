import type { ClaimedDelivery } from '../store/store.ts';

export interface DispatchLimits {
  /** Attempts under way at once. */
  slots: number;
  /** Of those, to one destination. */
  slotsPerDestination: number;
  /** Bodies under way at once, bytes; one larger than that goes alone. */
  bytes: number;
}

interface Lane {
  destinationKey: number;
  queue: ClaimedDelivery[];
  running: number;
  /** Nothing is known to its credit: never tried, or its last attempt timed out. */
  suspect: boolean;
}

/**
 * Decides what is attempted next. Claimed deliveries wait in one lane for each
 * destination; lanes take turns, so a destination with a million waiting gets
 * no more than one with two.
 *
 * Suspect destinations get one slot each and at most half of all slots
 * together: a dead destination, or a thousand hanging ones, can fill that half
 * for as long as an attempt may take, and never the other.
 */
export class Dispatcher {
  readonly #limits: DispatchLimits;
  readonly #lanes = new Map<number, Lane>();
  /** Lanes that could start something if there were a slot, in the order of their turns. */
  readonly #proven = new Set<Lane>();
  readonly #suspects = new Set<Lane>();
  #waiting = 0;
  #running = 0;
  #runningSuspects = 0;
  #runningBytes = 0;
  #suspectsTurn = false;

  constructor(limits: DispatchLimits) {
    this.#limits = limits;
  }

  get waiting(): number {
    return this.#waiting;
  }

  get running(): number {
    return this.#running;
  }

  waitingFor(destinationKey: number): number {
    return this.#lanes.get(destinationKey)?.queue.length ?? 0;
  }

  add(claims: readonly ClaimedDelivery[]): void {
    for (const claim of claims) {
      const { key, timedOut } = claim.destination;
      let lane = this.#lanes.get(key);
      if (!lane) {
        lane = { destinationKey: key, queue: [], running: 0, suspect: timedOut !== false };
        this.#lanes.set(key, lane);
      }
      lane.queue.push(claim);
      this.#waiting++;
      this.#enlist(lane);
    }
  }

  /** The next delivery to attempt, its slot taken, or null when none may start now. */
  next(): ClaimedDelivery | null {
    if (this.#running >= this.#limits.slots) return null;
    const suspectsMay =
      this.#suspects.size > 0 && this.#runningSuspects < Math.floor(this.#limits.slots / 2);
    // The two kinds alternate, so that neither waits for the other to run dry.
    const suspectsFirst = suspectsMay && (this.#suspectsTurn || this.#proven.size === 0);
    const [lane] = suspectsFirst ? this.#suspects : this.#proven;
    const claim = lane?.queue[0];
    if (!lane || !claim) return null;
    if (this.#runningBytes > 0 && this.#runningBytes + claim.size > this.#limits.bytes) return null;
    this.#suspectsTurn = !suspectsFirst;
    lane.queue.shift();
    this.#waiting--;
    lane.running++;
    this.#running++;
    this.#runningBytes += claim.size;
    if (lane.suspect) this.#runningSuspects++;
    this.#delist(lane);
    this.#enlist(lane);
    return claim;
  }

  /**
   * Frees the slot of a delivery that `next` gave. `timedOut` is what its
   * attempt taught about the destination; null when there was none.
   */
  done(claim: ClaimedDelivery, timedOut: boolean | null): void {
    const lane = this.#lanes.get(claim.destination.key) as Lane;
    this.#delist(lane);
    lane.running--;
    this.#running--;
    this.#runningBytes -= claim.size;
    if (lane.suspect) this.#runningSuspects--;
    if (timedOut !== null && timedOut !== lane.suspect) {
      lane.suspect = timedOut;
      // What else of it is under way moves to the other half of the books.
      this.#runningSuspects += timedOut ? lane.running : -lane.running;
    }
    if (lane.running === 0 && lane.queue.length === 0) this.#lanes.delete(lane.destinationKey);
    else this.#enlist(lane);
  }

  /** Everything that waits, in no particular order. */
  claims(): ClaimedDelivery[] {
    return [...this.#lanes.values()].flatMap((lane) => lane.queue);
  }

  /** Takes out everything that waits. */
  clear(): ClaimedDelivery[] {
    const claims = this.claims();
    for (const lane of this.#lanes.values()) {
      this.#delist(lane);
      lane.queue = [];
    }
    this.#waiting = 0;
    return claims;
  }

  #enlist(lane: Lane): void {
    const most = lane.suspect ? 1 : this.#limits.slotsPerDestination;
    if (lane.queue.length === 0 || lane.running >= most) return;
    (lane.suspect ? this.#suspects : this.#proven).add(lane);
  }

  #delist(lane: Lane): void {
    this.#proven.delete(lane);
    this.#suspects.delete(lane);
  }
}
