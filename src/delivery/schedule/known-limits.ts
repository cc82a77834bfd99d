import { ConcurrencyLimit } from './concurrency-limit.ts';

/** The largest number of idle destinations whose limits are kept. */
const MOST_KEPT = 1024;
/** How long an idle destination's limit is kept, ms. After that, the receiver may have changed. */
const KEPT_FOR_MS = 3_600_000;

/**
 * Keeps the limits of idle destinations, so that the next event needn't find them again. When full,
 * it drops the destination that has been idle longest.
 */
export class KnownLimits {
  /** The upper bound for all limits. */
  readonly #most: number;
  /** In the order in which the destinations became idle. */
  readonly #kept = new Map<number, { limit: ConcurrencyLimit; since: number }>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Removes and returns the destination's limit. Returns a new limit if none is kept. */
  take(destinationKey: number, now: number): ConcurrencyLimit {
    const kept = this.#kept.get(destinationKey);
    this.#kept.delete(destinationKey);
    if (!kept || now - kept.since > KEPT_FOR_MS) return new ConcurrencyLimit(this.#most);
    return kept.limit;
  }

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
