import { ConcurrencyLimit } from './concurrency-limit.ts';

/** Most idle destinations whose limits are kept. */
const MOST_KEPT = 1024;
/** How long the limit of an idle destination is kept, ms. By then the destination may be another. */
const KEPT_FOR_MS = 3_600_000;

/**
 * Keeps the limits of destinations without deliveries, so that the next event doesn't
 * start from nothing. The one that was idle for longest goes first.
 */
export class KnownLimits {
  /** Upper bound of each limit. */
  readonly #most: number;
  /** In the order in which the destinations became idle. */
  readonly #kept = new Map<number, { limit: ConcurrencyLimit; since: number }>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Removes and returns the destination's limit: a new one where none is kept. */
  take(destinationKey: number, now: number): ConcurrencyLimit {
    const kept = this.#kept.get(destinationKey);
    this.#kept.delete(destinationKey);
    if (!kept || now - kept.since > KEPT_FOR_MS) return new ConcurrencyLimit(this.#most);
    return kept.limit;
  }

  /** The limit that is kept of an idle destination. */
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
