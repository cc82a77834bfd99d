import type { WakingClock } from '../../../core/runtime/runtime.ts';
import type { Database } from './database.ts';

/** How many queries one measurement makes. The quickest answer counts. */
const LOOKS = 3;
/**
 * The shortest sleep of the machine that counts as a sleep, ms. Clocks may differ by less than
 * that.
 */
const SLEEP_MS = 1000;
/**
 * The interval between two measurements, ms. Meanwhile, two clocks drift apart by about a
 * millisecond.
 */
const EVERY_MS = 20_000;
/** The largest rate at which two clocks drift apart. */
const DRIFT = 1 / 5000;

/**
 * Estimates the database server's clock. A few round trips measure it, and this machine's monotonic
 * clock continues it between measurements. So a lease ends at the same moment for all nodes, even
 * if their own clocks are wrong. Two estimates differ by at most half a round trip.
 */
export class DatabaseClock implements WakingClock {
  readonly #db: Database;
  readonly #own: WakingClock;
  #offset = 0;
  /** How long the machine has slept, now and at the last measurement, ms. */
  #slept = 0;
  #sleptBefore = 0;
  /** The last difference between this machine's wall clock and its monotonic clock, ms. */
  #ahead = Number.NaN;
  /** The largest possible error of the estimate when it was measured, ms: half a round trip. */
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
   * Corrects the estimate after a sleep of the machine. The monotonic clock stops during a sleep,
   * but attempts before the next measurement need the real time. A jump of the wall clock is a
   * cheap sign of a sleep. `elapsed` then decides, because somebody may only have set the clock.
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
    // The answers were slow, so the previous estimate is probably better. Keep it, as long as the
    // new measurement doesn't contradict it.
    if (errorMs > errorBefore && Math.abs(offset - known) <= errorMs + errorBefore) return;
    this.#errorMs = errorMs;
    this.#measuredAt = measuredAt;
    this.#offset = offset;
    this.#slept = slept;
    this.#sleptBefore = slept;
  }
}
