/**
 * At most this many endpoints are kept in memory. A forgotten endpoint starts with its full
 * allowance.
 */
const MOST_ENDPOINTS = 10_000;

export interface RateLimit {
  most: number;
  /** Length of the sliding window, ms. */
  windowMs: number;
}

/** Limits how often each endpoint does something within a sliding window. The limit is per node. */
export class EndpointRate {
  readonly #limit: RateLimit;
  readonly #monotonic: () => number;
  /** Times of the actions in the window, by endpoint, oldest first. */
  readonly #taken = new Map<string, number[]>();

  /** @param monotonic ms */
  constructor(limit: RateLimit, monotonic: () => number) {
    this.#limit = limit;
    this.#monotonic = monotonic;
  }

  /** Counts one action. Returns false, and counts nothing, if the limit is reached. */
  take(publicToken: string): boolean {
    const { most, windowMs } = this.#limit;
    const now = this.#monotonic();
    const times = this.#taken.get(publicToken) ?? [];
    while (times[0] !== undefined && now - times[0] >= windowMs) times.shift();
    if (times.length >= most) return false;
    times.push(now);
    this.#taken.delete(publicToken);
    const [oldest] = this.#taken.keys();
    if (this.#taken.size >= MOST_ENDPOINTS && oldest !== undefined) this.#taken.delete(oldest);
    this.#taken.set(publicToken, times);
    return true;
  }
}
