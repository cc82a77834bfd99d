import { performance } from 'node:perf_hooks';
import type { Clock } from '../../core/runtime/runtime.ts';

/** With this many captures in a commit and after it, captures come faster than commits end. */
const MANY_CAPTURES = 16;
/** Above this share of working time, captures wait for the thread and not for the disk. */
const BUSY_SHARE = 0.8;
/** The same while attempts are throttled, which leaves the thread time. */
const STILL_BUSY_SHARE = 0.5;
/** The time between two measurements of that share, ms. */
const MEASURED_EVERY_MS = 100;
/** How long attempts stay throttled after such a commit, ms. The next commit of a flood comes earlier. */
const HOLD_MS = 20;
/**
 * The attempts that may start for each capture. With more than one, deliveries to one destination keep
 * pace and catch up.
 */
const ATTEMPTS_PER_CAPTURE = 1.25;
/** The most attempts that captures can allow in advance. */
const MAX_SAVED = 256;

/**
 * Gives captures priority over deliveries. A delivery is on disk and can wait, but a sender gives
 * up. While captures flood a busy thread, five attempts may start for every four captures. So the
 * deliveries to one destination keep pace, and those to more destinations wait. At other times, only
 * the slots limit attempts.
 *
 * The throttle ends with the flood. A sender that waits for its deliveries sends nothing while they
 * are held, so its deliveries go on after `HOLD_MS`.
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
   * @param waiting how many events wait for a later commit
   */
  onCaptured(events: number, waiting: number): void {
    const now = this.#clock.monotonic();
    if (now - this.#measuredAt >= MEASURED_EVERY_MS) {
      this.#measuredAt = now;
      this.#share = this.#busyShare();
    }
    const isHeld = now < this.#heldUntil;
    const busyFrom = isHeld ? STILL_BUSY_SHARE : BUSY_SHARE;
    if (events + waiting >= MANY_CAPTURES && this.#share >= busyFrom) {
      if (!isHeld) this.#saved = 0;
      this.#heldUntil = now + HOLD_MS;
    }
    this.#saved = Math.min(MAX_SAVED, this.#saved + events * ATTEMPTS_PER_CAPTURE);
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
