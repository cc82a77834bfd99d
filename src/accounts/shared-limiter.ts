import type { AllowanceStore } from '../store/contract/accounts.ts';

/** What is left of an allowance. */
export interface LimiterState {
  remainingPoints: number;
  msBeforeNext: number;
}

/** The used part of rate-limiter-flexible. `consume` rejects with the state if no point is left. */
export interface Limiter {
  get(key: string): Promise<LimiterState | null>;
  consume(key: string): Promise<unknown>;
  reward(key: string): Promise<unknown>;
  delete(key: string): Promise<unknown>;
}

export interface SharedTries {
  store: AllowanceStore;
  now(): number;
}

/**
 * An allowance that all nodes share, in their database. The library's own limiter for PostgreSQL
 * needs the connection pool, and only the store has the pool.
 */
export class SharedLimiter implements Limiter {
  readonly #tries: SharedTries;
  readonly #name: string;
  readonly #points: number;
  readonly #windowMs: number;

  constructor(tries: SharedTries, options: { name: string; points: number; windowMs: number }) {
    this.#tries = tries;
    this.#name = options.name;
    this.#points = options.points;
    this.#windowMs = options.windowMs;
  }

  async get(key: string): Promise<LimiterState | null> {
    const now = this.#tries.now();
    const use = await this.#tries.store.read(this.#key(key), now);
    return use && this.#state(use, now);
  }

  async consume(key: string): Promise<LimiterState> {
    const now = this.#tries.now();
    const use = await this.#tries.store.add(this.#key(key), 1, this.#windowMs, now);
    if (use.used > this.#points) throw this.#state(use, now);
    return this.#state(use, now);
  }

  async reward(key: string): Promise<void> {
    await this.#tries.store.add(this.#key(key), -1, this.#windowMs, this.#tries.now());
  }

  async delete(key: string): Promise<void> {
    await this.#tries.store.clear(this.#key(key));
  }

  #key(key: string): string {
    return `${this.#name} ${key}`;
  }

  #state({ used, expiresAt }: { used: number; expiresAt: number }, now: number): LimiterState {
    return { remainingPoints: Math.max(0, this.#points - used), msBeforeNext: expiresAt - now };
  }
}
