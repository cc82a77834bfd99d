/**
 * A longer time moves the estimate by `UP` of the difference, and a shorter one by `DOWN` of it.
 */
const UP = 0.5;
const DOWN = 0.1;

/** Estimates how long a step takes, ms. Most runs of the step take no longer than the estimate. */
export class Estimate {
  #ms = 0;

  get ms(): number {
    return this.#ms;
  }

  add(ms: number): void {
    this.#ms += (ms - this.#ms) * (ms > this.#ms ? UP : DOWN);
  }
}
