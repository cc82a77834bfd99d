import type { WakingClock } from './runtime.ts';

/**
 * Notices that the wall clock was set: wall time and elapsed time come apart.
 * A machine that wakes up has slept through both, so that is no step, and
 * neither is a drift that stays below the threshold from one look to the next.
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

  /** How far the wall clock was set since the last look, ms: ahead is positive, 0 is not at all. */
  step(): number {
    const offsetMs = this.#clock.now() - this.#clock.elapsed();
    const stepMs = offsetMs - this.#offsetMs;
    this.#offsetMs = offsetMs;
    return Math.abs(stepMs) > this.#thresholdMs ? Math.round(stepMs) : 0;
  }
}
