import type { Clock } from '../../core/runtime/runtime.ts';
import type { ClaimedDelivery } from '../../store/contract/claims.ts';
import type { Outgoing } from '../../store/contract/queue.ts';
import type { Dispatcher } from './dispatcher.ts';
import { TimedQueue } from './timed-queue.ts';

/** Longest wait of a begun claim, ms. After it, what `begin` read may be out of date. */
const MOST_WAIT_MS = 300;

/** A claim that `begin` has answered. */
export interface Begun {
  claim: ClaimedDelivery;
  outgoing: Outgoing;
}

interface Waiting extends Begun {
  since: number;
  isStale: boolean;
}

export interface StartGateOptions {
  dispatcher: Pick<Dispatcher, 'start'>;
  clock: Pick<Clock, 'now'>;
  onStart(begun: Begun): void;
  /** The destination may have changed since the claim began. */
  onStale(claim: ClaimedDelivery): void;
  /** The rate's time for the start is over. */
  onLate(claim: ClaimedDelivery): void;
}

/**
 * Holds begun claims until they may start: until the start that a rate granted, and until a slot of
 * a fixed concurrency is free. Attempts begin ahead of both, by the time that `begin` takes. A
 * claim begins again if it waits for long, or if its destination changes meanwhile.
 */
export class StartGate {
  readonly #options: StartGateOptions;
  readonly #timed: TimedQueue<Waiting>;
  /** Claims that wait for slots, by destination, in order. */
  readonly #queues = new Map<number, Waiting[]>();

  constructor(options: StartGateOptions) {
    this.#options = options;
    this.#timed = new TimedQueue(options.clock, (one) => this.#enter(one));
  }

  enter(begun: Begun): void {
    this.#enter({ ...begun, since: this.#options.clock.now(), isStale: false });
  }

  #enter(one: Waiting): void {
    const { dispatcher, clock, onStart, onStale, onLate } = this.#options;
    const { claim } = one;
    const now = clock.now();
    if (claim.start && now < claim.start.from) this.#timed.add(one, claim.start.from);
    else if (claim.start && now > claim.start.by) onLate(claim);
    else if (one.isStale || now - one.since > MOST_WAIT_MS) onStale(claim);
    else if (dispatcher.start(claim)) onStart(one);
    else this.#wait(one);
  }

  #wait(one: Waiting): void {
    const { key } = one.claim.destination;
    const queue = this.#queues.get(key);
    if (queue) queue.push(one);
    else this.#queues.set(key, [one]);
  }

  /** Reports that an attempt to the destination ended, so others may start. */
  leave(destinationKey: number): void {
    const queue = this.#queues.get(destinationKey);
    if (!queue) return;
    this.#queues.delete(destinationKey);
    for (const one of queue) this.#enter(one);
  }

  /** Reports that these destinations changed (null: any). */
  expire(destinationKeys: ReadonlySet<number> | null): void {
    for (const one of this.#all()) {
      if (destinationKeys === null || destinationKeys.has(one.claim.destination.key))
        one.isStale = true;
    }
  }

  claims(): ClaimedDelivery[] {
    return this.#all().map(({ claim }) => claim);
  }

  /** Removes and returns all claims. */
  clear(): ClaimedDelivery[] {
    const claims = this.claims();
    this.#timed.clear();
    this.#queues.clear();
    return claims;
  }

  #all(): Waiting[] {
    return [...this.#timed.items(), ...[...this.#queues.values()].flat()];
  }
}
