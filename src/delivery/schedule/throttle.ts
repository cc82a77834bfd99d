import { performance } from 'node:perf_hooks';
import type { Clock } from '../../core/runtime/runtime.ts';

/** With this many captures waiting for the next commit, the server may be behind. */
const MANY_WAITING = 16;
/** Above this share of working time, captures wait for the thread and not for the disk. */
const BUSY_SHARE = 0.8;
/** The time between two measurements of that share, ms. */
const MEASURED_EVERY_MS = 100;
/** How long attempts stay throttled after the server was last behind, ms. */
const HOLD_MS = 1000;
const CAPTURES_PER_DELIVERY = 3;
/** The most attempts that captures can allow in advance. */
const MAX_SAVED = 256;

/**
 * Gives captures priority over deliveries. A delivery is on disk and can wait, but a sender gives
 * up. While captures wait for the thread, one attempt may start for every three captures. At other
 * times, only the slots limit attempts.
 */
export class Throttle {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** Returns the share of time in which the thread worked since the previous call, 0 to 1. */
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

  allows(): boolean {
    return this.#saved >= 1 || this.#clock.monotonic() >= this.#heldUntil;
  }

  onStart(): void {
    this.#saved = Math.max(0, this.#saved - 1);
  }
}

/** Returns a `busyShare` for `Throttle`: the share of time in which the event loop worked. */
export function eventLoopShare(): () => number {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}
