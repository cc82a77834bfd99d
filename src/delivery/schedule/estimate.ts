/** The share of the difference by which the estimate grows (`UP`) or falls (`DOWN`). */
const UP = 0.5;
const DOWN = 0.1;

/**
 * Estimates the duration of a step, ms. It rises faster than it falls, so that few runs exceed it.
 */
export class Estimate {
  #ms = 0;

  get ms(): number {
    return this.#ms;
  }

  add(ms: number): void {
    this.#ms += (ms - this.#ms) * (ms > this.#ms ? UP : DOWN);
  }
}
