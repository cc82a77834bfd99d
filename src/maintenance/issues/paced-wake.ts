import type { Clock } from '../../core/runtime/runtime.ts';

/** Least time between two wakes, ms. Settles come thousands of times a second. */
const PACE_MS = 250;

/** Wakes a loop soon, and not more often than every `PACE_MS`. */
export class PacedWake {
  readonly #loop: { wake(): void };
  readonly #clock: Clock;
  #timer: NodeJS.Timeout | undefined;
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(loop: { wake(): void }, clock: Clock) {
    this.#loop = loop;
    this.#clock = clock;
  }

  wake(): void {
    if (this.#timer) return;
    const waitMs = Math.max(0, this.#lastAt + PACE_MS - this.#clock.monotonic());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#lastAt = this.#clock.monotonic();
      this.#loop.wake();
    }, waitMs).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
