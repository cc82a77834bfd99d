import { ClockWatch } from '../core/runtime/clock-watch.ts';
import type { Logger, WakingClock } from '../core/runtime/runtime.ts';

/** The largest drift between wall clock and elapsed time at which ages can be trusted, ms. */
const MAX_CLOCK_DRIFT_MS = 10 * 60_000;

/** How long the clocks must agree before ages can be trusted again, ms. */
const CALM_MS = 24 * 3_600_000;

/**
 * Decides whether ages can be trusted. A clock that is set a year ahead must not delete a year of
 * data. If the wall clock drifts from elapsed time, work that depends on ages pauses until both
 * have agreed for a day. A restart also ends the pause. Elapsed time includes the machine's sleep,
 * because data ages during sleep.
 */
export class TrustedClock {
  readonly #clock: WakingClock;
  readonly #watch: ClockWatch;
  readonly #onJump: (driftMs: number) => void;
  #pausedUntil = Number.NEGATIVE_INFINITY;

  /** @param work the name of the paused work, for the log */
  constructor(clock: WakingClock, log: Logger, work: string) {
    this.#clock = clock;
    this.#watch = new ClockWatch(clock, MAX_CLOCK_DRIFT_MS);
    this.#onJump = (driftMs) =>
      log.warn(`the clock jumped; ${work} pauses for a day or until a restart`, {
        drift_ms: driftMs,
      });
  }

  /** Returns the Unix time, ms; null while ages can't be trusted. */
  now(): number | null {
    const step = this.#watch.step();
    if (step !== 0) {
      this.#pausedUntil = this.#clock.elapsed() + CALM_MS;
      this.#onJump(step);
    }
    return this.#clock.elapsed() < this.#pausedUntil ? null : this.#clock.now();
  }
}
