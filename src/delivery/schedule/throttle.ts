import { performance } from 'node:perf_hooks';
import type { Clock } from '../../core/runtime/runtime.ts';

/** With this many captures that wait for the next commit, the server may be behind. */
const MANY_WAITING = 16;
/** Above this share of working time, captures wait for the thread and not for the disk. */
const BUSY_SHARE = 0.8;
/** Time between two measurements of that share, ms. */
const MEASURED_EVERY_MS = 100;
/** Attempts stay throttled for this long after the server was last behind, ms. */
const HOLD_MS = 1000;
const CAPTURES_PER_DELIVERY = 3;
/** Most attempts that may start at once when a destination gets free slots. */
const MAX_SAVED = 256;

/**
 * Lets captures go first: a delivery is on disk and can wait, but a sender gives up. While captures
 * wait for the thread, one attempt starts for every three captures. Otherwise the slots alone
 * decide.
 */
export class Throttle {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** Share of the time since the previous call that the thread worked, 0 to 1. */
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

/** Makes the `busyShare` of a `Throttle`: the share of time in which the event loop didn't wait. */
export function eventLoopShare(): () => number {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}
