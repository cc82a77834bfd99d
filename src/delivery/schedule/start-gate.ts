import type { Clock } from '../../core/runtime/runtime.ts';
import type { ClaimedDelivery } from '../../store/contract/claims.ts';
import type { Outgoing } from '../../store/contract/queue.ts';
import type { Dispatcher } from './dispatcher.ts';
import { TimedQueue } from './timed-queue.ts';

/**
 * The longest wait of a claim after `begin`, ms. After that, the data from `begin` may be out of
 * date.
 */
const MOST_WAIT_MS = 300;

/** A claim for which `begin` has answered. */
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
  /** Called if the destination may have changed since the claim began. */
  onStale(claim: ClaimedDelivery): void;
  /** Called when the time is over in which the rate allowed the start. */
  onLate(claim: ClaimedDelivery): void;
}

/**
 * Keeps claims that have begun until they may start. A rate grants a start time. A fixed
 * concurrency needs a free slot. Claims begin earlier, because `begin` takes some time. A claim
 * begins again if it waits too long or if its destination may have changed.
 */
export class StartGate {
  readonly #options: StartGateOptions;
  readonly #timed: TimedQueue<Waiting>;
  /** The claims that wait for slots, by destination, in order. */
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

  /**
   * Reports that an attempt to the destination has ended. Starts a waiting claim if it may start.
   */
  leave(destinationKey: number): void {
    const queue = this.#queues.get(destinationKey);
    if (!queue) return;
    this.#queues.delete(destinationKey);
    for (const one of queue) this.#enter(one);
  }

  /** Reports that these destinations may have changed; null means all. */
  expire(destinationKeys: ReadonlySet<number> | null): void {
    for (const one of this.#all()) {
      if (destinationKeys === null || destinationKeys.has(one.claim.destination.key))
        one.isStale = true;
    }
  }

  claims(): ClaimedDelivery[] {
    return this.#all().map(({ claim }) => claim);
  }

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
