/** Share of the difference by which a longer and a shorter time move the estimate. */
const UP = 0.5;
const DOWN = 0.1;

/** How long a step takes, ms: most of the last ones took no longer. */
export class Estimate {
  #ms = 0;

  get ms(): number {
    return this.#ms;
  }

  add(ms: number): void {
    this.#ms += (ms - this.#ms) * (ms > this.#ms ? UP : DOWN);
  }
}
