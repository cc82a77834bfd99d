import type { WakingClock } from '../../../core/runtime/runtime.ts';
import type { Database } from './database.ts';

/** Queries of the database's clock in one measurement; the quickest answer counts. */
const LOOKS = 3;
/** Shortest sleep that is noticed, ms: clocks differ by less. */
const SLEEP_MS = 1000;
/** Interval of measurements, ms: clocks drift by a millisecond in that time. */
const EVERY_MS = 20_000;
/** Most by which two clocks drift apart, ms a ms. */
const DRIFT = 1 / 5000;

/**
 * This process's estimate of the database server's clock: measured in a few round
 * trips, and continued by the monotonic clock. A lease that one node takes ends at the
 * same moment for all nodes, whatever their own clocks say. Their estimates differ by
 * at most half a round trip.
 */
export class DatabaseClock implements WakingClock {
  readonly #db: Database;
  readonly #own: WakingClock;
  #offset = 0;
  /** Known sleep of the machine, now and at the last measurement, ms. */
  #slept = 0;
  #sleptBefore = 0;
  /** Last read difference of this machine's wall clock and its monotonic clock, ms. */
  #ahead = Number.NaN;
  /** Most by which the estimate was wrong when it was measured, ms: half a round trip. */
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
   * The monotonic clock stands still while the machine sleeps, but attempts before the
   * next measurement must carry the real time. A jump of the wall clock is the cheap
   * sign of a sleep. It may only mean that the clock was set, so `elapsed` decides.
   */
  #noticeSleep(): void {
    const ahead = this.#own.now() - this.#own.monotonic();
    if (Math.abs(ahead - this.#ahead) < SLEEP_MS) return;
    this.#ahead = ahead;
    const slept = this.#own.elapsed() - this.#own.monotonic();
    if (slept - this.#slept >= SLEEP_MS) this.#slept = slept;
  }

  /** Measures now and then at intervals. */
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
    // The answers came slowly, and the estimate before is likely to be nearer.
    if (errorMs > errorBefore && Math.abs(offset - known) <= errorMs + errorBefore) return;
    this.#errorMs = errorMs;
    this.#measuredAt = measuredAt;
    this.#offset = offset;
    this.#slept = slept;
    this.#sleptBefore = slept;
  }
}
