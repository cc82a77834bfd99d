import { ClockWatch } from '../core/runtime/clock-watch.ts';
import type { Logger, WakingClock } from '../core/runtime/runtime.ts';

/** Most drift between wall clock and elapsed time. Beyond it ages can't be trusted. */
const MAX_CLOCK_DRIFT_MS = 10 * 60_000;

/** How long both clocks must agree before ages are trusted again, ms. */
const CALM_MS = 24 * 3_600_000;

/**
 * Says whether ages can be trusted. A clock set a year ahead must not delete a year of
 * data: when wall clock and elapsed time drift apart, deletions by age pause until they
 * agree for a day, or until a restart. A restart trusts the wall clock. Time that a
 * machine slept counts as elapsed: its data has aged.
 */
export class TrustedClock {
  readonly #clock: WakingClock;
  readonly #watch: ClockWatch;
  readonly #onJump: (driftMs: number) => void;
  #pausedUntil = Number.NEGATIVE_INFINITY;

  /** @param work what pauses, for the log */
  constructor(clock: WakingClock, log: Logger, work: string) {
    this.#clock = clock;
    this.#watch = new ClockWatch(clock, MAX_CLOCK_DRIFT_MS);
    this.#onJump = (driftMs) =>
      log.warn(`the clock jumped; ${work} pauses for a day or until a restart`, {
        drift_ms: driftMs,
      });
  }

  /** The time now, Unix ms; null while ages can't be trusted. */
  now(): number | null {
    const step = this.#watch.step();
    if (step !== 0) {
      this.#pausedUntil = this.#clock.elapsed() + CALM_MS;
      this.#onJump(step);
    }
    return this.#clock.elapsed() < this.#pausedUntil ? null : this.#clock.now();
  }
}
