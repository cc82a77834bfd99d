import type { Clock } from '../core/runtime/runtime.ts';

/** The time over which work is counted, ms. */
const WINDOW_MS = 1000;

/** Counts work that goes before background work, such as captures. */
export class WorkRate {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #windowAt = Number.NEGATIVE_INFINITY;
  #inWindow = 0;
  #beforeWindow = 0;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  add(count: number): void {
    this.#turn();
    this.#inWindow += count;
  }

  /** The work of a recent second. It is 0 two seconds after the last work, at the latest. */
  get perSecond(): number {
    this.#turn();
    return Math.max(this.#inWindow, this.#beforeWindow);
  }

  #turn(): void {
    const now = this.#clock.monotonic();
    const age = now - this.#windowAt;
    if (age < WINDOW_MS) return;
    this.#beforeWindow = age < 2 * WINDOW_MS ? this.#inWindow : 0;
    this.#inWindow = 0;
    this.#windowAt = now;
  }
}
