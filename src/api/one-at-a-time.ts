import { HookrelayError } from '../core/errors.ts';

/** Runs one piece of work at a time for each account, and refuses a second. */
export class OneAtATime {
  readonly #busy = new Set<string>();
  readonly #refusal: string;
  readonly #longestMs: number;

  /** @param longestMs how long the work takes at most */
  constructor(refusal: string, longestMs: number) {
    this.#refusal = refusal;
    this.#longestMs = longestMs;
  }

  /** Throws `rate_limited`, and what the work throws. */
  async run<T>(account: string, work: () => Promise<T>): Promise<T> {
    if (this.#busy.has(account)) {
      const retryAfterS = this.#longestMs / 1000;
      throw new HookrelayError('rate_limited', this.#refusal, {
        hint: `try again in ${retryAfterS} s`,
        retryAfterS,
      });
    }
    this.#busy.add(account);
    try {
      return await work();
    } finally {
      this.#busy.delete(account);
    }
  }
}
