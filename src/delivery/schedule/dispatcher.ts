import {
  type DestinationHealth,
  isHealthy,
  nextHealth,
  slotsFor,
} from '../../core/destination-health.ts';
import type { ClaimedDelivery } from '../../store/contract/claims.ts';

export interface DispatchLimits {
  /** Attempts under way at once. */
  slots: number;
  /** Attempts under way at once to one destination. */
  slotsPerDestination: number;
  /**
   * Total body size of the attempts under way, bytes. Each share gets half; a
   * larger body goes alone.
   */
  bytes: number;
}

interface Lane {
  destinationKey: number;
  queue: ClaimedDelivery[];
  running: number;
  runningBytes: number;
  /** Newer than the health in a claim: every attempt updates it at once. */
  health: DestinationHealth;
}

/** All lanes of healthy destinations, or of unhealthy ones, with their totals. */
interface Share {
  /** Lanes that can start a delivery once a slot is free, in the order of their turns. */
  ready: Set<Lane>;
  waiting: number;
  running: number;
  runningBytes: number;
}

/**
 * Decides which delivery is attempted next. Claimed deliveries wait in one lane for
 * each destination. Lanes take turns: a destination with a million waiting
 * deliveries gets no more turns than one with two.
 *
 * Unhealthy destinations get one slot each, and at most half of all slots together.
 * The two shares, healthy and unhealthy, have half of the bytes each. A dead
 * destination, or a thousand hanging ones, can fill the unhealthy half for as long
 * as an attempt may take, but never the other half.
 */
export class Dispatcher {
  readonly #limits: DispatchLimits;
  readonly #lanes = new Map<number, Lane>();
  readonly #healthy: Share = { ready: new Set(), waiting: 0, running: 0, runningBytes: 0 };
  readonly #unhealthy: Share = { ready: new Set(), waiting: 0, running: 0, runningBytes: 0 };
  #isUnhealthysTurn = false;

  constructor(limits: DispatchLimits) {
    this.#limits = limits;
  }

  get waiting(): number {
    return this.#healthy.waiting + this.#unhealthy.waiting;
  }

  /** Deliveries that wait for unhealthy destinations. */
  get waitingUnhealthy(): number {
    return this.#unhealthy.waiting;
  }

  get running(): number {
    return this.#healthy.running + this.#unhealthy.running;
  }

  /** False for a destination without deliveries here: the dispatcher does not know its health. */
  isUnhealthy(destinationKey: number): boolean {
    const lane = this.#lanes.get(destinationKey);
    return lane !== undefined && !isHealthy(lane.health);
  }

  waitingFor(destinationKey: number): number {
    return this.#lanes.get(destinationKey)?.queue.length ?? 0;
  }

  add(claims: readonly ClaimedDelivery[]): void {
    for (const claim of claims) {
      const { key, health } = claim.destination;
      let lane = this.#lanes.get(key);
      if (!lane) {
        lane = { destinationKey: key, queue: [], running: 0, runningBytes: 0, health };
        this.#lanes.set(key, lane);
      }
      lane.queue.push(claim);
      this.#shareOf(lane).waiting++;
      this.#enlist(lane);
    }
  }

  /** Takes a slot for the next delivery and returns the delivery; null when none may start now. */
  next(): ClaimedDelivery | null {
    if (this.running >= this.#limits.slots) return null;
    const mayUnhealthy = this.#unhealthy.running < Math.floor(this.#limits.slots / 2);
    // The shares alternate, so neither waits until the other is empty. A share
    // whose next body doesn't fit yields its turn.
    const shares = this.#isUnhealthysTurn
      ? [this.#unhealthy, this.#healthy]
      : [this.#healthy, this.#unhealthy];
    for (const share of shares) {
      if (share === this.#unhealthy && !mayUnhealthy) continue;
      const [lane] = share.ready;
      const claim = lane?.queue[0];
      if (!lane || !claim) continue;
      const isTooMuch = share.runningBytes + claim.size > this.#limits.bytes / 2;
      if (share.runningBytes > 0 && isTooMuch) continue;
      this.#isUnhealthysTurn = share === this.#healthy;
      this.#start(lane, share, claim);
      return claim;
    }
    return null;
  }

  #start(lane: Lane, share: Share, claim: ClaimedDelivery): void {
    lane.queue.shift();
    lane.running++;
    lane.runningBytes += claim.size;
    share.waiting--;
    share.running++;
    share.runningBytes += claim.size;
    this.#delist(lane);
    this.#enlist(lane);
  }

  /** Updates a destination's health after an attempt. The attempt still holds its slot. */
  learn(destinationKey: number, outcome: { timedOut: boolean }): void {
    const lane = this.#lanes.get(destinationKey) as Lane;
    const health = nextHealth(lane.health, outcome);
    if (health === lane.health) return;
    this.#delist(lane);
    this.#setHealth(lane, health);
    this.#enlist(lane);
  }

  /** Frees the slot of a delivery that `next` returned. */
  done(claim: ClaimedDelivery): void {
    const lane = this.#lanes.get(claim.destination.key) as Lane;
    const share = this.#shareOf(lane);
    this.#delist(lane);
    lane.running--;
    lane.runningBytes -= claim.size;
    share.running--;
    share.runningBytes -= claim.size;
    if (lane.running === 0 && lane.queue.length === 0) this.#lanes.delete(lane.destinationKey);
    else this.#enlist(lane);
  }

  /** Sets the lane's health, and moves its counts to the share that it now belongs to. */
  #setHealth(lane: Lane, health: DestinationHealth): void {
    const from = this.#shareOf(lane);
    lane.health = health;
    const to = this.#shareOf(lane);
    from.waiting -= lane.queue.length;
    from.running -= lane.running;
    from.runningBytes -= lane.runningBytes;
    to.waiting += lane.queue.length;
    to.running += lane.running;
    to.runningBytes += lane.runningBytes;
  }

  /**
   * Removes and returns the deliveries that wait for a destination, except the
   * first `keep` (at least 1).
   */
  takeBack(destinationKey: number, keep: number): ClaimedDelivery[] {
    const lane = this.#lanes.get(destinationKey);
    if (!lane) return [];
    const surplus = lane.queue.splice(keep);
    this.#shareOf(lane).waiting -= surplus.length;
    return surplus;
  }

  /** All waiting deliveries, in no particular order. */
  claims(): ClaimedDelivery[] {
    return [...this.#lanes.values()].flatMap((lane) => lane.queue);
  }

  /** Removes and returns all waiting deliveries. */
  clear(): ClaimedDelivery[] {
    const claims = this.claims();
    for (const lane of this.#lanes.values()) {
      this.#delist(lane);
      lane.queue = [];
    }
    this.#healthy.waiting = 0;
    this.#unhealthy.waiting = 0;
    return claims;
  }

  #shareOf(lane: Lane): Share {
    return isHealthy(lane.health) ? this.#healthy : this.#unhealthy;
  }

  #enlist(lane: Lane): void {
    const most = slotsFor(lane.health, this.#limits.slotsPerDestination);
    if (lane.queue.length > 0 && lane.running < most) this.#shareOf(lane).ready.add(lane);
  }

  #delist(lane: Lane): void {
    this.#healthy.ready.delete(lane);
    this.#unhealthy.ready.delete(lane);
  }
}
