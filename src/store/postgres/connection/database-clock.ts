import type { WakingClock } from '../../../core/runtime/runtime.ts';
import type { Database } from './database.ts';

/** The number of queries in one measurement. The quickest answer counts. */
const LOOKS = 3;
/** A shorter sleep of the machine is ignored, ms, because clocks may differ by that much. */
const SLEEP_MS = 1000;
/** The interval between two measurements, ms. Two clocks then drift apart by up to 4 ms. */
const EVERY_MS = 20_000;
/** The largest drift between two clocks, ms per ms. */
const DRIFT = 1 / 5000;

/**
 * Estimates the database server's clock, so that all nodes agree when a lease ends, even if their
 * own clocks are wrong. A few round trips measure it. This machine's monotonic clock continues it
 * between measurements. The error of an estimate is at most half a round trip, plus the drift.
 */
export class DatabaseClock implements WakingClock {
  readonly #db: Database;
  readonly #own: WakingClock;
  #offset = 0;
  /** How long the machine has slept, ms: until now, and until the last measurement. */
  #slept = 0;
  #sleptBefore = 0;
  /** The last known difference between this machine's wall clock and its monotonic clock, ms. */
  #ahead = Number.NaN;
  /** The largest error of the last measurement, ms: half its round trip. */
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
   * Corrects the estimate after the machine slept. The monotonic clock stops during a sleep, but
   * attempts before the next measurement need the real time. A jump of the wall clock is a cheap
   * sign of a sleep. `elapsed` decides, because somebody may only have set the clock.
   */
  #noticeSleep(): void {
    const ahead = this.#own.now() - this.#own.monotonic();
    if (Math.abs(ahead - this.#ahead) < SLEEP_MS) return;
    this.#ahead = ahead;
    const slept = this.#own.elapsed() - this.#own.monotonic();
    if (slept - this.#slept >= SLEEP_MS) this.#slept = slept;
  }

  /** Measures now, then every `EVERY_MS`. */
  async start(): Promise<void> {
    await this.measure();
    this.#timer = setInterval(() => {
      // While the database is unreachable, the monotonic clock continues alone.
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
    // The answers were slow, so the previous estimate is probably better. Keep it unless the new
    // measurement contradicts it.
    if (errorMs > errorBefore && Math.abs(offset - known) <= errorMs + errorBefore) return;
    this.#errorMs = errorMs;
    this.#measuredAt = measuredAt;
    this.#offset = offset;
    this.#slept = slept;
    this.#sleptBefore = slept;
  }
}
