import type { Clock } from '../../core/runtime/runtime.ts';
import { TICK_MS } from './lease-keeper.ts';

/** A timer that is set to the earliest of the given due times. */
export class DueTimer {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #onDue: () => void;
  #timer: NodeJS.Timeout | undefined;
  #dueAt = Number.POSITIVE_INFINITY;

  constructor(clock: Pick<Clock, 'now'>, onDue: () => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  /**
   * Calls `onDue` at `dueAt`, Unix ms, but after one tick at the latest. If somebody sets the wall
   * clock, a longer delay would be wrong. Does nothing if the same or an earlier time is set.
   */
  arm(dueAt: number): void {
    if (dueAt >= this.#dueAt) return;
    clearTimeout(this.#timer);
    this.#dueAt = dueAt;
    const delay = Math.min(TICK_MS, Math.max(0, dueAt - this.#clock.now()));
    this.#timer = setTimeout(() => {
      this.#dueAt = Number.POSITIVE_INFINITY;
      this.#onDue();
    }, delay).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
