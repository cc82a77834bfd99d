import { MOST_REJECTED_PER_S } from '../../core/proof/rejected-limits.ts';

const WINDOW_MS = 1000;
/** Most endpoints in memory. One that is forgotten has the store's limit, which is the same. */
const MOST_ENDPOINTS = 10_000;

/**
 * Bounds the rejected requests of each endpoint that are kept in any second. The others go
 * to the store without their bodies, so that a flood of forgeries costs little more than reading it.
 */
export class RejectionLimit {
  readonly #monotonic: () => number;
  /** The times of the newest ones by endpoint, oldest first. */
  readonly #kept = new Map<string, number[]>();

  /** @param monotonic ms */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** Whether one more may be kept now, which then counts. */
  take(publicToken: string): boolean {
    const now = this.#monotonic();
    const times = this.#kept.get(publicToken) ?? [];
    while (times[0] !== undefined && now - times[0] >= WINDOW_MS) times.shift();
    if (times.length >= MOST_REJECTED_PER_S) return false;
    times.push(now);
    this.#kept.delete(publicToken);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= MOST_ENDPOINTS && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(publicToken, times);
    return true;
  }
}
