import { performance } from 'node:perf_hooks';
import type { Clock } from '../../core/runtime.ts';

/** From so many captures on that wait while others are committed, the server is behind. */
const MANY_WAITING = 16;
/** Share of its time that the thread works from which they wait for it, and not for the disk. */
const BUSY_SHARE = 0.8;
/** How often that share is looked at, ms. */
const LOOK_EVERY_MS = 100;
/** How long deliveries keep back after the last sign of it, ms. */
const HOLD_MS = 1000;
const CAPTURES_PER_DELIVERY = 3;
/** What may have been saved up when a destination falls free. */
const MAX_SAVED = 256;

/**
 * Lets captures go first. A delivery is on disk and can wait, a sender gives up.
 * While captures queue for the processor, one attempt is started for every
 * three of them; otherwise as many as there are slots.
 */
export class Throttle {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** Share of the time since the call before that the thread worked, 0 to 1. */
  readonly #busyShare: () => number;
  #share = 0;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #heldUntil = Number.NEGATIVE_INFINITY;
  #saved = 0;

  constructor(clock: Pick<Clock, 'monotonic'>, busyShare: () => number) {
    this.#clock = clock;
    this.#busyShare = busyShare;
  }

  /** After each commit: of how many events, and how many wait for the next. */
  onCaptured(events: number, waiting: number): void {
    const now = this.#clock.monotonic();
    if (now - this.#lookedAt >= LOOK_EVERY_MS) {
      this.#lookedAt = now;
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

/** For `Throttle`: the share of this thread's time that its event loop did not wait. */
export function eventLoopShare(): () => number {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}
