import { HookrelayError } from '../core/errors.ts';

export interface SlotLimits {
  /** Operations of all accounts that run at once. */
  total: number;
  /** Operations of one account that run at once, so that no account blocks the others. */
  perAccount: number;
}

/** Limits concurrent work of one kind. Rejects work above the limit instead of queueing it. */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #taken = new Map<string, number>();
  #total = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /** Returns whether `run` would reject this account now. */
  isFull(account: string): boolean {
    const { total, perAccount } = this.#limits;
    return this.#total >= total || (this.#taken.get(account) ?? 0) >= perAccount;
  }

  /** Runs the work. Throws `rate_limited` if no slot is free. */
  async run<T>(account: string, retryAfterS: number, work: () => Promise<T>): Promise<T> {
    if (this.isFull(account)) {
      throw new HookrelayError('rate_limited', 'too many AI operations are under way', {
        hint: `try again in ${retryAfterS} s`,
        retryAfterS,
      });
    }
    this.#total++;
    this.#taken.set(account, (this.#taken.get(account) ?? 0) + 1);
    try {
      return await work();
    } finally {
      this.#total--;
      const left = (this.#taken.get(account) ?? 1) - 1;
      if (left > 0) this.#taken.set(account, left);
      else this.#taken.delete(account);
    }
  }
}
