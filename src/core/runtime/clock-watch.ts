import type { WakingClock } from './runtime.ts';

/**
 * Detects that the wall clock was set: wall time and elapsed time drift apart. Sleep of the machine
 * counts in both, so it is no step. A drift below the threshold between two calls of `step` isn't
 * one either.
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

  /** Step of the wall clock since the last call, ms: positive is ahead, 0 is no step. */
  step(): number {
    const offsetMs = this.#clock.now() - this.#clock.elapsed();
    const stepMs = offsetMs - this.#offsetMs;
    this.#offsetMs = offsetMs;
    return Math.abs(stepMs) > this.#thresholdMs ? Math.round(stepMs) : 0;
  }
}
