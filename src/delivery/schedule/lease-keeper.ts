import { ClockWatch } from '../../core/runtime/clock-watch.ts';
import type { Logger, WakingClock } from '../../core/runtime/runtime.ts';
import type { ClaimedDelivery } from '../../store/contract/claims.ts';
import type { QueueStore } from '../../store/contract/queue.ts';

/**
 * The length of a claim's lease, ms. Every tick renews leases, so a dead process loses its claims
 * within 2 to 3 ticks.
 */
export const LEASE_MS = 60_000;
/** The time between two ticks, ms. */
export const TICK_MS = 20_000;
/** The smallest step of the wall clock for which due times are shifted, ms. */
const CLOCK_STEP_MS = 10_000;
/**
 * The end of a skipped period whose due times aren't shifted, ms. The keeper notices a step up to a
 * tick later, so these due times may already use the new clock.
 */
const STEP_NOTICED_MS = 3 * TICK_MS;

export interface LeaseKeeperOptions {
  queue: Pick<QueueStore, 'renew' | 'shiftDue'>;
  clock: WakingClock;
  log: Logger;
  /** Returns all claims of this process: waiting, under way or not yet recorded. */
  held(): ClaimedDelivery[];
}

/** Keeps claims alive while this process lives, even if somebody sets the wall clock. */
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
   * Adjusts claims and due times to steps of the wall clock. Call it before you compare due times.
   * Otherwise a clock that is set ahead ends claims early and makes retries early. A clock that is
   * set back makes retries late. Sleep isn't a step, so deliveries that became due meanwhile are
   * due.
   *
   * @returns the present time, Unix ms
   */
  follow(): Promise<number> {
    // A tick and a poll can call this at the same time. Each must wait until the other has
    // finished.
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
