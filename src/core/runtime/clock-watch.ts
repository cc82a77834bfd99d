import type { WakingClock } from './runtime.ts';

/**
 * Detects that somebody set the wall clock. Then wall time and elapsed time differ by more or less
 * than before. A sleep of the machine isn't a step, because both times include it. Neither is a
 * difference below the threshold between two calls of `step`.
 */
export class ClockWatch {
  readonly #clock: WakingClock;
  readonly #thresholdMs: number;
  #offsetMs: number;

  constructor(clock: WakingClock, thresholdMs: number) {
    this.#clock = clock;
    this.#thresholdMs = thresholdMs;
    this.#offsetMs = clock.now() - clock.elapsed();
  }

  /** Returns by how much the wall clock was set since the last call, ms. Positive is forward. */
  step(): number {
    const offsetMs = this.#clock.now() - this.#clock.elapsed();
    const stepMs = offsetMs - this.#offsetMs;
    this.#offsetMs = offsetMs;
    return Math.abs(stepMs) > this.#thresholdMs ? Math.round(stepMs) : 0;
  }
}
