import { performance } from 'node:perf_hooks';
import type { Clock } from '../../core/runtime/runtime.ts';

/** If this many captures wait for the next commit, the server may be behind. */
const MANY_WAITING = 16;
/**
 * If the thread works for more than this share of the time, captures wait for the thread and not
 * for the disk.
 */
const BUSY_SHARE = 0.8;
/** The time between two measurements of that share, ms. */
const MEASURED_EVERY_MS = 100;
/** How long attempts stay throttled after the server was last behind, ms. */
const HOLD_MS = 1000;
const CAPTURES_PER_DELIVERY = 3;
/** How many attempts may start at once when a destination gets free slots. */
const MAX_SAVED = 256;

/**
 * Lets captures go before deliveries. A delivery is on disk and can wait, but a sender gives up.
 * While captures wait for the thread, one attempt may start for every three captures. At other
 * times, only the slots limit the attempts.
 */
export class Throttle {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** Returns the share of the time since the previous call in which the thread worked, 0 to 1. */
  readonly #busyShare: () => number;
  #share = 0;
  #measuredAt = Number.NEGATIVE_INFINITY;
  #heldUntil = Number.NEGATIVE_INFINITY;
  #saved = 0;

  constructor(clock: Pick<Clock, 'monotonic'>, busyShare: () => number) {
    this.#clock = clock;
    this.#busyShare = busyShare;
  }

  /**
   * Call after each commit.
   *
   * @param events how many events it captured
   * @param waiting how many events wait for the next commit
   */
  onCaptured(events: number, waiting: number): void {
    const now = this.#clock.monotonic();
    if (now - this.#measuredAt >= MEASURED_EVERY_MS) {
      this.#measuredAt = now;
      this.#share = this.#busyShare();
    }
    if (waiting >= MANY_WAITING && this.#share >= BUSY_SHARE) {
      if (now >= this.#heldUntil) this.#saved = 0;
      this.#heldUntil = now + HOLD_MS;
    }
    this.#saved = Math.min(MAX_SAVED, this.#saved + events / CAPTURES_PER_DELIVERY);
  }

  /** Whether one more attempt may start now. */
  allows(): boolean {
    return this.#saved >= 1 || this.#clock.monotonic() >= this.#heldUntil;
  }

  onStart(): void {
    this.#saved = Math.max(0, this.#saved - 1);
  }
}

/**
 * Returns the `busyShare` of a `Throttle`: the share of time in which the event loop didn't wait.
 */
export function eventLoopShare(): () => number {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}
