import type { WakingClock } from '../../../core/runtime/runtime.ts';
import type { Database } from './database.ts';

/** Queries in one measurement. The quickest answer counts. */
const LOOKS = 3;
/** Shortest sleep that counts as one, ms. Clocks differ by less. */
const SLEEP_MS = 1000;
/** Interval of measurements, ms. Clocks drift apart by about a millisecond meanwhile. */
const EVERY_MS = 20_000;
/** How fast two clocks drift apart at most. */
const DRIFT = 1 / 5000;

/**
 * Estimates the database server's clock: a few round trips measure it, and the monotonic clock
 * continues it. So a lease ends at the same moment for all nodes, whatever their own clocks
 * say. Estimates differ by at most half a round trip.
 */
export class DatabaseClock implements WakingClock {
  readonly #db: Database;
  readonly #own: WakingClock;
  #offset = 0;
  /** How long the machine has slept, now and at the last measurement, ms. */
  #slept = 0;
  #sleptBefore = 0;
  /** Last difference of this machine's wall clock and monotonic clock, ms. */
  #ahead = Number.NaN;
  /** Largest error of the estimate when it was measured, ms: half a round trip. */
  #errorMs = Number.POSITIVE_INFINITY;
  /** Monotonic time, ms. */
  #measuredAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Database, own: WakingClock) {
    this.#db = db;
    this.#own = own;
  }

  now(): number {
    this.#noticeSleep();
    return Math.round(this.#own.monotonic() + this.#offset + this.#slept - this.#sleptBefore);
  }

  monotonic(): number {
    return this.#own.monotonic();
  }

  elapsed(): number {
    this.#noticeSleep();
    return this.#own.monotonic() + this.#slept;
  }

  /**
   * The monotonic clock stops while the machine sleeps, but attempts before the next
   * measurement need the real time. A jump of the wall clock is a cheap sign of a sleep, and
   * `elapsed` decides, because the clock may only have been set.
   */
  #noticeSleep(): void {
    const ahead = this.#own.now() - this.#own.monotonic();
    if (Math.abs(ahead - this.#ahead) < SLEEP_MS) return;
    this.#ahead = ahead;
    const slept = this.#own.elapsed() - this.#own.monotonic();
    if (slept - this.#slept >= SLEEP_MS) this.#slept = slept;
  }

  /** Measures now, then regularly. */
  async start(): Promise<void> {
    await this.measure();
    this.#timer = setInterval(() => {
      // While the database is away, the monotonic clock continues alone.
      this.measure().catch(() => {});
    }, EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async measure(): Promise<void> {
    let quickest = Number.POSITIVE_INFINITY;
    let offset = this.#offset;
    let slept = this.#slept;
    for (let look = 0; look < LOOKS; look++) {
      const asked = this.#own.monotonic();
      const [row] = await this.#db.rows<{ ms: number }>(
        'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS ms',
      );
      const answered = this.#own.monotonic();
      if (answered - asked >= quickest) continue;
      quickest = answered - asked;
      offset = (row?.ms ?? 0) - (asked + answered) / 2;
      slept = this.#own.elapsed() - answered;
    }
    const measuredAt = this.#own.monotonic();
    const errorMs = quickest / 2;
    const errorBefore = this.#errorMs + (measuredAt - this.#measuredAt) * DRIFT;
    const known = this.#offset + slept - this.#sleptBefore;
    // The answers were slow, so the previous estimate is probably better.
    if (errorMs > errorBefore && Math.abs(offset - known) <= errorMs + errorBefore) return;
    this.#errorMs = errorMs;
    this.#measuredAt = measuredAt;
    this.#offset = offset;
    this.#slept = slept;
    this.#sleptBefore = slept;
  }
}
