import type { WakingClock } from '../../../core/runtime.ts';
import type { Database } from './database.ts';

/** Looks at the database's clock in one measurement; the quickest answer counts. */
const LOOKS = 3;
/** Sleep is noticed from this on, ms: clocks agree to less. */
const SLEEP_MS = 1000;
/** Between two measurements, ms: clocks drift by a millisecond in that time. */
const EVERY_MS = 20_000;

/**
 * The database server's clock, as near as this process can tell: measured in a
 * few round trips and carried on by the monotonic clock. A lease that one node
 * takes ends at the same moment for all others, whatever their own clocks say;
 * they differ by no more than half a round trip.
 */
export class DatabaseClock implements WakingClock {
  readonly #db: Database;
  readonly #own: WakingClock;
  #offset = 0;
  /** What the machine has slept as far as is known, and had at the measurement, ms. */
  #slept = 0;
  #sleptBefore = 0;
  /** How far this machine's wall clock was ahead of its monotonic one when last looked at, ms. */
  #ahead = Number.NaN;
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
   * The monotonic clock stood still while the machine slept: what is attempted
   * before the next measurement must carry its real time all the same. The wall
   * clock tells that something happened, at no cost, and may only have been set.
   */
  #noticeSleep(): void {
    const ahead = this.#own.now() - this.#own.monotonic();
    if (Math.abs(ahead - this.#ahead) < SLEEP_MS) return;
    this.#ahead = ahead;
    const slept = this.#own.elapsed() - this.#own.monotonic();
    if (slept - this.#slept >= SLEEP_MS) this.#slept = slept;
  }

  /** Measures now, and from then on every so often. */
  async start(): Promise<void> {
    await this.measure();
    this.#timer = setInterval(() => {
      // While the database is away, the monotonic clock goes on alone.
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
    this.#offset = offset;
    this.#slept = slept;
    this.#sleptBefore = slept;
  }
}
