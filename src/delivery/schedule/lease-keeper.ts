import { ClockWatch } from '../../core/runtime/clock-watch.ts';
import type { Logger, WakingClock } from '../../core/runtime/runtime.ts';
import type { ClaimedDelivery } from '../../store/contract/claims.ts';
import type { QueueStore } from '../../store/contract/queue.ts';

/** A claim's lease. Every tick renews it, so a dead process loses its claims in 2 to 3 ticks. */
export const LEASE_MS = 60_000;
/** Time between two calls of `renew`. */
export const TICK_MS = 20_000;
/** Smallest step of the wall clock that moves due times, ms. */
const CLOCK_STEP_MS = 10_000;
/**
 * Due times in the last part of the skipped time don't move, ms. The step is noticed only within a
 * tick, so the new clock may have set these.
 */
const STEP_NOTICED_MS = 3 * TICK_MS;

export interface LeaseKeeperOptions {
  queue: Pick<QueueStore, 'renew' | 'shiftDue'>;
  clock: WakingClock;
  log: Logger;
  /** All held claims: waiting, under way, or not recorded yet. */
  held(): ClaimedDelivery[];
}

/** Keeps claims alive while this process lives, even when the wall clock is set. */
export class LeaseKeeper {
  readonly #options: LeaseKeeperOptions;
  #watch: ClockWatch;
  #following: Promise<unknown> = Promise.resolve();
  #renewedAt = 0;

  constructor(options: LeaseKeeperOptions) {
    this.#options = options;
    this.#watch = new ClockWatch(options.clock, CLOCK_STEP_MS);
  }

  start(): void {
    const { clock } = this.#options;
    this.#watch = new ClockWatch(clock, CLOCK_STEP_MS);
    this.#renewedAt = clock.now();
  }

  async renew(): Promise<void> {
    const { queue, clock, held } = this.#options;
    this.#renewedAt = clock.now();
    await queue.renew(held(), this.#renewedAt + LEASE_MS);
  }

  /**
   * Follows steps of the wall clock. Call it before deciding that anything is due. After the clock
   * was set ahead, claims must not lapse and retries must not come early. After it was set back,
   * they must not stall. After the machine slept, everything that became due is due.
   *
   * @returns the time that callers may now compare with due times, Unix ms
   */
  follow(): Promise<number> {
    // A tick and a poll can come at once. Each must wait until the other has followed a step.
    const following = this.#following.catch(() => {}).then(() => this.#takeStep());
    this.#following = following;
    return following;
  }

  async #takeStep(): Promise<number> {
    const { queue, clock, log } = this.#options;
    const now = clock.now();
    if (Math.abs(now - this.#renewedAt) > TICK_MS) await this.renew();
    const step = this.#watch.step();
    if (step === 0) return now;
    log.warn('the wall clock was set; due times move with it', { by_ms: step });
    if (step < 0) await queue.shiftDue(step);
    else await queue.shiftDue(step, { after: now - step, before: now - STEP_NOTICED_MS });
    return now;
  }
}
