import type { AllowanceStore, AllowanceUse } from '../contract/accounts.ts';

/** Windows that have ended are dropped when so many more are there than after the last time. */
const SWEEP_EVERY_KEYS = 1000;

/** In memory: one process has the data, and a restart may forget a few tries. */
export class MemoryAllowances implements AllowanceStore {
  readonly #uses = new Map<string, AllowanceUse>();
  #sweepAt = SWEEP_EVERY_KEYS;

  async read(key: string, now: number): Promise<AllowanceUse | null> {
    const use = this.#uses.get(key);
    return use && use.expiresAt > now ? { ...use } : null;
  }

  async add(key: string, points: number, windowMs: number, now: number): Promise<AllowanceUse> {
    const before = this.#uses.get(key);
    const isOpen = before !== undefined && before.expiresAt > now;
    const use = {
      used: Math.max(0, (isOpen ? before.used : 0) + points),
      expiresAt: isOpen ? before.expiresAt : now + windowMs,
    };
    this.#uses.set(key, use);
    if (this.#uses.size > this.#sweepAt) this.#sweep(now);
    return { ...use };
  }

  async clear(key: string): Promise<void> {
    this.#uses.delete(key);
  }

  #sweep(now: number): void {
    for (const [key, { expiresAt }] of this.#uses) if (expiresAt <= now) this.#uses.delete(key);
    this.#sweepAt = this.#uses.size + SWEEP_EVERY_KEYS;
  }
}
