import { isProven } from '../../core/proven.ts';
import type { ClaimedDelivery } from '../../store/contract/claims.ts';

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
  runningBytes: number;
  /** Nothing is known to its credit: never tried, or its last attempt timed out. */
  isSuspect: boolean;
}

/** What lanes of one kind, proven or suspect, wait with and have under way. */
interface Kind {
  /** Lanes that could start something if there were a slot, in the order of their turns. */
  ready: Set<Lane>;
  waiting: number;
  running: number;
  runningBytes: number;
}

/**
 * Decides what is attempted next. Claimed deliveries wait in one lane for each
 * destination; lanes take turns, so a destination with a million waiting gets
 * no more than one with two.
 *
 * Suspect destinations get one slot each and at most half of all slots
 * together, and proven and suspect ones have half of the bytes each: a dead
 * destination, or a thousand hanging ones, can fill their half for as long as an
 * attempt may take, and never the other.
 */
export class Dispatcher {
  readonly #limits: DispatchLimits;
  readonly #lanes = new Map<number, Lane>();
  readonly #proven: Kind = { ready: new Set(), waiting: 0, running: 0, runningBytes: 0 };
  readonly #suspect: Kind = { ready: new Set(), waiting: 0, running: 0, runningBytes: 0 };
  #suspectsTurn = false;

  constructor(limits: DispatchLimits) {
    this.#limits = limits;
  }

  get waiting(): number {
    return this.#proven.waiting + this.#suspect.waiting;
  }

  /** Of those, for suspect destinations. */
  get waitingSuspects(): number {
    return this.#suspect.waiting;
  }

  get running(): number {
    return this.#proven.running + this.#suspect.running;
  }

  /** Whether it is known to be suspect; of one without deliveries here, nothing is known. */
  isSuspect(destinationKey: number): boolean {
    return this.#lanes.get(destinationKey)?.isSuspect ?? false;
  }

  waitingFor(destinationKey: number): number {
    return this.#lanes.get(destinationKey)?.queue.length ?? 0;
  }

  add(claims: readonly ClaimedDelivery[]): void {
    for (const claim of claims) {
      const { key } = claim.destination;
      let lane = this.#lanes.get(key);
      if (!lane) {
        const isSuspect = !isProven(claim.destination);
        lane = { destinationKey: key, queue: [], running: 0, runningBytes: 0, isSuspect };
        this.#lanes.set(key, lane);
      }
      lane.queue.push(claim);
      this.#kindOf(lane).waiting++;
      this.#enlist(lane);
    }
  }

  /** The next delivery to attempt, its slot taken, or null when none may start now. */
  next(): ClaimedDelivery | null {
    if (this.running >= this.#limits.slots) return null;
    const suspectsMay = this.#suspect.running < Math.floor(this.#limits.slots / 2);
    // The two kinds alternate, so that neither waits for the other to run dry;
    // one whose next body doesn't fit now leaves its turn to the other.
    const kinds = this.#suspectsTurn
      ? [this.#suspect, this.#proven]
      : [this.#proven, this.#suspect];
    for (const kind of kinds) {
      if (kind === this.#suspect && !suspectsMay) continue;
      const [lane] = kind.ready;
      const claim = lane?.queue[0];
      if (!lane || !claim) continue;
      const isTooMuch = kind.runningBytes + claim.size > this.#limits.bytes / 2;
      if (kind.runningBytes > 0 && isTooMuch) continue;
      this.#suspectsTurn = kind === this.#proven;
      this.#start(lane, kind, claim);
      return claim;
    }
    return null;
  }

  #start(lane: Lane, kind: Kind, claim: ClaimedDelivery): void {
    lane.queue.shift();
    lane.running++;
    lane.runningBytes += claim.size;
    kind.waiting--;
    kind.running++;
    kind.runningBytes += claim.size;
    this.#delist(lane);
    this.#enlist(lane);
  }

  /** `timedOut` is what an attempt taught about its destination; it has its slot yet. */
  learn(destinationKey: number, timedOut: boolean): void {
    const lane = this.#lanes.get(destinationKey) as Lane;
    if (timedOut === lane.isSuspect) return;
    this.#delist(lane);
    this.#move(lane, timedOut);
    this.#enlist(lane);
  }

  /** Frees the slot of a delivery that `next` gave. */
  done(claim: ClaimedDelivery): void {
    const lane = this.#lanes.get(claim.destination.key) as Lane;
    const kind = this.#kindOf(lane);
    this.#delist(lane);
    lane.running--;
    lane.runningBytes -= claim.size;
    kind.running--;
    kind.runningBytes -= claim.size;
    if (lane.running === 0 && lane.queue.length === 0) this.#lanes.delete(lane.destinationKey);
    else this.#enlist(lane);
  }

  /** What of it waits or is under way goes over to the other kind's books. */
  #move(lane: Lane, isSuspect: boolean): void {
    const from = this.#kindOf(lane);
    lane.isSuspect = isSuspect;
    const to = this.#kindOf(lane);
    from.waiting -= lane.queue.length;
    from.running -= lane.running;
    from.runningBytes -= lane.runningBytes;
    to.waiting += lane.queue.length;
    to.running += lane.running;
    to.runningBytes += lane.runningBytes;
  }

  /** Takes out what waits for a destination beyond the first `keep`, at least one. */
  takeBack(destinationKey: number, keep: number): ClaimedDelivery[] {
    const lane = this.#lanes.get(destinationKey);
    if (!lane) return [];
    const surplus = lane.queue.splice(keep);
    this.#kindOf(lane).waiting -= surplus.length;
    return surplus;
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
    this.#proven.waiting = 0;
    this.#suspect.waiting = 0;
    return claims;
  }

  #kindOf(lane: Lane): Kind {
    return lane.isSuspect ? this.#suspect : this.#proven;
  }

  #enlist(lane: Lane): void {
    const most = lane.isSuspect ? 1 : this.#limits.slotsPerDestination;
    if (lane.queue.length > 0 && lane.running < most) this.#kindOf(lane).ready.add(lane);
  }

  #delist(lane: Lane): void {
    this.#proven.ready.delete(lane);
    this.#suspect.ready.delete(lane);
  }
}
