import { ConcurrencyLimit } from './concurrency-limit.ts';

/** How many idle destinations' limits are kept. */
const MOST_KEPT = 1024;
/**
 * How long the limit of an idle destination is kept, ms. After that, the receiver may have changed.
 */
const KEPT_FOR_MS = 3_600_000;

/**
 * Keeps the limits of idle destinations, so that the limit needn't be found again at the next
 * event. When it is full, it drops the destination that has been idle for longest.
 */
export class KnownLimits {
  /** The largest value of each limit. */
  readonly #most: number;
  /** In the order in which the destinations became idle. */
  readonly #kept = new Map<number, { limit: ConcurrencyLimit; since: number }>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Removes and returns the destination's limit. Returns a new one if none is kept. */
  take(destinationKey: number, now: number): ConcurrencyLimit {
    const kept = this.#kept.get(destinationKey);
    this.#kept.delete(destinationKey);
    if (!kept || now - kept.since > KEPT_FOR_MS) return new ConcurrencyLimit(this.#most);
    return kept.limit;
  }

  /** Returns the kept limit of an idle destination. */
  see(destinationKey: number): ConcurrencyLimit | undefined {
    return this.#kept.get(destinationKey)?.limit;
  }

  keep(destinationKey: number, limit: ConcurrencyLimit, now: number): void {
    this.#kept.set(destinationKey, { limit, since: now });
    if (this.#kept.size <= MOST_KEPT) return;
    const [oldest] = this.#kept.keys();
    this.#kept.delete(oldest as number);
  }
}
