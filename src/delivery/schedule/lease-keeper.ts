import { ClockWatch } from '../../core/clock-watch.ts';
import type { Logger, WakingClock } from '../../core/runtime.ts';
import type { ClaimedDelivery } from '../../store/contract/claims.ts';
import type { QueueStore } from '../../store/contract/queue.ts';

/** Claims are renewed at every tick, and lost two ticks after their process died. */
export const LEASE_MS = 60_000;
/** How often `renew` is to be called. */
export const TICK_MS = 20_000;
/** How far the wall clock must be set before due times are moved with it, ms. */
const CLOCK_STEP_MS = 10_000;
/**
 * A step is noticed within a tick. What is due in the last of the time that was
 * skipped may have been written since, by the new clock: it stays as it is.
 */
const STEP_NOTICED_MS = 3 * TICK_MS;

export interface LeaseKeeperOptions {
  queue: Pick<QueueStore, 'renew' | 'shiftDue'>;
  clock: WakingClock;
  log: Logger;
  /** All claims held: of what waits, is under way, or waits to be recorded. */
  held(): ClaimedDelivery[];
}

/** Keeps claims while this process lives, whatever becomes of the wall clock. */
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
   * Before anything is called due: claims must not lapse, nor retries come
   * early, because the wall clock was set ahead; nor stall, because it was set
   * back. When the machine slept instead, what fell due meanwhile is due.
   *
   * @returns the time that all of this is true of
   */
  follow(): Promise<number> {
    // Tick and claim come at the same time: neither may go on before the other's step is taken.
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
