import type { WakingClock } from './runtime.ts';

/**
 * Detects that somebody set the wall clock, by comparing it with elapsed time. A sleep of the
 * machine isn't a step, because both times include it. A difference below the threshold isn't a
 * step either.
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

  /** Returns the step of the wall clock since the last call, ms. Positive is forward. */
  step(): number {
    const offsetMs = this.#clock.now() - this.#clock.elapsed();
    const stepMs = offsetMs - this.#offsetMs;
    this.#offsetMs = offsetMs;
    return Math.abs(stepMs) > this.#thresholdMs ? Math.round(stepMs) : 0;
  }
}
