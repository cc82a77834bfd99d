import { RateLimiterMemory } from 'rate-limiter-flexible';
import { HookrelayError } from '../core/errors.ts';
import {
  type Limiter,
  type LimiterState,
  SharedLimiter,
  type SharedTries,
} from './shared-limiter.ts';

export interface AllowanceOptions {
  /** Names the count in the nodes' database. */
  name: string;
  /** What the error message counts, such as `failed logins`. */
  what: string;
  points: number;
  windowS: number;
}

/**
 * Allows each key a number of tries in a window. The window starts with the first try, and a
 * refused try doesn't extend it. `check` and `take` throw `rate_limited`.
 */
export class Allowance {
  readonly #limiter: Limiter;
  readonly #windowS: number;
  readonly #what: string;

  /** @param shared the counts that all nodes share. Null counts in memory. */
  constructor(shared: SharedTries | null, { name, what, points, windowS }: AllowanceOptions) {
    this.#limiter = shared
      ? new SharedLimiter(shared, { name, points, windowMs: windowS * 1000 })
      : new RateLimiterMemory({ points, duration: windowS });
    this.#windowS = windowS;
    this.#what = what;
  }

  async check(key: string): Promise<void> {
    const state = await this.#limiter.get(key);
    if (state && state.remainingPoints <= 0 && state.msBeforeNext > 0) throw this.#refusal(state);
  }

  async take(key: string): Promise<void> {
    try {
      await this.#limiter.consume(key);
    } catch (refused) {
      // The limiter rejects with its state, and that isn't an Error.
      if (refused instanceof Error) throw refused;
      throw this.#refusal(refused as LimiterState);
    }
  }

  async giveBack(key: string): Promise<void> {
    await this.#limiter.reward(key);
  }

  async clear(key: string): Promise<void> {
    await this.#limiter.delete(key);
  }

  #refusal(state: LimiterState): HookrelayError {
    const seconds = Math.ceil(state.msBeforeNext / 1000);
    return new HookrelayError('rate_limited', `too many ${this.#what}`, {
      hint: 'wait for the seconds that Retry-After names, then retry',
      // The limiter reads the wall clock, which may be set back by a year.
      retryAfterS: Math.min(Math.max(seconds, 1), this.#windowS),
    });
  }
}
