/** A longer and a shorter time move the estimate by these shares of the difference. */
const UP = 0.5;
const DOWN = 0.1;

/** Estimates how long a step takes, ms, so that most steps take no longer. */
export class Estimate {
  #ms = 0;

  get ms(): number {
    return this.#ms;
  }

  add(ms: number): void {
    this.#ms += (ms - this.#ms) * (ms > this.#ms ? UP : DOWN);
  }
}
