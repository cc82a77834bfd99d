import { ClockWatch } from '../../core/runtime/clock-watch.ts';
import type { Logger, WakingClock } from '../../core/runtime/runtime.ts';
import type { ClaimedDelivery } from '../../store/contract/claims.ts';
import type { QueueStore } from '../../store/contract/queue.ts';

/**
 * Lease of a claim. Every tick renews it, so a claim is lost two to three ticks
 * after its process died.
 */
export const LEASE_MS = 60_000;
/** Time between two calls of `renew`. */
export const TICK_MS = 20_000;
/** Smallest step of the wall clock that moves due times along, ms. */
const CLOCK_STEP_MS = 10_000;
/**
 * Last part of the skipped time in which due times stay as they are, ms. A step is
 * noticed within a tick, so the new clock may have written these due times.
 */
const STEP_NOTICED_MS = 3 * TICK_MS;

export interface LeaseKeeperOptions {
  queue: Pick<QueueStore, 'renew' | 'shiftDue'>;
  clock: WakingClock;
  log: Logger;
  /** All claims held: those that wait, are under way, or are not recorded yet. */
  held(): ClaimedDelivery[];
}

/** Keeps claims live while this process lives, even when the wall clock is set. */
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
   * Follows steps of the wall clock. Call it before anything is called due. When
   * the clock was set ahead, claims must not lapse and retries must not come early.
   * When it was set back, they must not stall. When the machine slept instead,
   * everything that fell due in the meantime is due.
   *
   * @returns the time for which all of this holds, Unix ms
   */
  follow(): Promise<number> {
    // A tick and a look for due deliveries can come at once. Neither may go on
    // before the other's step is taken.
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
