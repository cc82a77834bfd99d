import type { CpuUse } from '../../core/cpu-use.ts';
import { VerifyingTooCostly, VerifyingWork } from '../../core/proof/verifying-work.ts';

/**
 * What verifying may take on the receiving thread whatever else its account does, in bytes that
 * are hashed: an HMAC of the largest body with two secrets. Handing it to a thread takes as long.
 */
const FREE_BYTES = 128 * 1024;
/** The most of one request: three signatures by a public key, which take some 0.4 ms. */
const MOST_BYTES = 512 * 1024;
/** A short one: what comes at one moment keeps others waiting for no longer than its allowance. */
const WINDOW_MS = 100;
/** Time on the receiving thread that costly requests of one account have in a window, ms. */
const OF_ACCOUNT_MS = 10;
/** That of all accounts together, ms. */
const OF_ALL_MS = 25;

/** Bounds the time that verifying takes from the receiving thread. */
export class VerifyingAllowance {
  readonly #cpu: CpuUse;
  readonly #monotonic: () => number;
  /** ms by account, in the present window. */
  readonly #used = new Map<string, number>();
  #usedByAll = 0;
  #windowEnds = Number.NEGATIVE_INFINITY;

  /** @param monotonic ms */
  constructor(cpu: CpuUse, monotonic: () => number) {
    this.#cpu = cpu;
    this.#monotonic = monotonic;
  }

  /** Verifies a request of an account. Undefined for one that takes too long on this thread. */
  run<T>(account: string, verify: (work: VerifyingWork) => T): T | undefined {
    const began = this.#monotonic();
    const work = new VerifyingWork(this.#mostOf(account, began));
    try {
      return verify(work);
    } catch (error) {
      if (error instanceof VerifyingTooCostly) return undefined;
      throw error;
    } finally {
      if (work.spent > FREE_BYTES) this.#charge(account, this.#monotonic() - began);
    }
  }

  #mostOf(account: string, now: number): number {
    if (now >= this.#windowEnds) {
      this.#windowEnds = now + WINDOW_MS;
      this.#used.clear();
      this.#usedByAll = 0;
    }
    const isUsedUp =
      this.#usedByAll >= OF_ALL_MS || (this.#used.get(account) ?? 0) >= OF_ACCOUNT_MS;
    return isUsedUp ? FREE_BYTES : MOST_BYTES;
  }

  #charge(account: string, tookMs: number): void {
    this.#used.set(account, (this.#used.get(account) ?? 0) + tookMs);
    this.#usedByAll += tookMs;
    this.#cpu.charge(account, tookMs);
  }
}
