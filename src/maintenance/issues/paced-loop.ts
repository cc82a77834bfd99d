import type { Clock } from '../../core/runtime/runtime.ts';
import { BackgroundLoop, type BackgroundLoopOptions } from '../background-loop.ts';

/** The shortest time between two wakes, ms. Attempts settle thousands of times a second. */
const PACE_MS = 250;

/** A loop that runs at most once every `PACE_MS`, however often callers wake it. */
export class PacedLoop extends BackgroundLoop {
  readonly #clock: Clock;
  #nextAt = Number.NEGATIVE_INFINITY;

  constructor({ clock, ...options }: BackgroundLoopOptions & { clock: Clock }) {
    super(options);
    this.#clock = clock;
  }

  override wake(): void {
    this.#nextAt = this.#clock.monotonic() + PACE_MS;
    super.wake();
  }

  wakeSoon(): void {
    this.wakeIn(Math.max(0, this.#nextAt - this.#clock.monotonic()));
  }
}
