import { VerifyingTooCostly, VerifyingWork } from '../../core/proof/verifying-work.ts';
import { RuleTooCostly } from '../../core/rules/work.ts';
import type { CpuUse } from '../../core/turns/cpu-use.ts';

/**
 * Free work doesn't count in an allowance, because handing it to a thread would take as long. Bytes
 * and steps decide what is free. Time doesn't, because on a busy machine anything may take
 * milliseconds.
 */
/**
 * Bytes that verifying may hash for free. They suffice for an HMAC of the largest small body with
 * two secrets.
 */
const FREE_BYTES = 128 * 1024;
/** The largest body that is judged for free, bytes. A larger one may take some ms to parse. */
const FREE_BODY_BYTES = 8 * 1024;
const FREE_STEPS = 2500;

/**
 * Bytes that verifying one request may hash on this thread. A public-key signature counts as bytes
 * too. Three such signatures fit, which take about 0.4 ms.
 */
const MOST_BYTES = 512 * 1024;
/** Steps that the rules may take for one request: about a millisecond. */
const MOST_STEPS = 20_000;
/** Judging up to this long is free, ms. */
const LEAST_COUNTED_MS = 0.25;

/**
 * The length of a window, ms. It is short, so that a burst delays other requests by one small
 * allowance.
 */
const WINDOW_MS = 100;
/** Time for the costly requests of one account in a window, ms. */
const OF_ACCOUNT_MS = 10;
/** Time for the costly requests of all accounts in a window, ms. */
const OF_ALL_MS = 25;

/** Limits the time of verifying and judging on the receiving thread. */
export class ReceivingAllowance {
  readonly #cpu: CpuUse;
  readonly #monotonic: () => number;
  /** Time that each account used in the present window, ms. */
  readonly #used = new Map<string, number>();
  #usedByAll = 0;
  #windowEnds = Number.NEGATIVE_INFINITY;

  /** @param monotonic ms */
  constructor(cpu: CpuUse, monotonic: () => number) {
    this.#cpu = cpu;
    this.#monotonic = monotonic;
  }

  /** Verifies a request. Returns undefined if that takes too long for this thread. */
  verify<T>(account: string, verify: (work: VerifyingWork) => T): T | undefined {
    const began = this.#monotonic();
    const work = new VerifyingWork(this.#hasLeft(account, began) ? MOST_BYTES : FREE_BYTES);
    try {
      return verify(work);
    } catch (error) {
      if (error instanceof VerifyingTooCostly) return undefined;
      throw error;
    } finally {
      if (work.spent > FREE_BYTES) this.#charge(account, this.#monotonic() - began);
    }
  }

  /**
   * Judges a request by rules. Returns undefined if that takes too long for this thread.
   *
   * @param bytes size of the body; 0 if it isn't parsed
   */
  judge<T>(account: string, bytes: number, judge: (steps: number) => T): T | undefined {
    const began = this.#monotonic();
    const hasLeft = this.#hasLeft(account, began);
    if (!hasLeft && bytes > FREE_BODY_BYTES) return undefined;
    try {
      return judge(hasLeft ? MOST_STEPS : FREE_STEPS);
    } catch (error) {
      if (error instanceof RuleTooCostly) return undefined;
      throw error;
    } finally {
      const took = this.#monotonic() - began;
      if (took > LEAST_COUNTED_MS) this.#charge(account, took);
    }
  }

  #hasLeft(account: string, now: number): boolean {
    if (now >= this.#windowEnds) {
      this.#windowEnds = now + WINDOW_MS;
      this.#used.clear();
      this.#usedByAll = 0;
    }
    return this.#usedByAll < OF_ALL_MS && (this.#used.get(account) ?? 0) < OF_ACCOUNT_MS;
  }

  #charge(account: string, tookMs: number): void {
    this.#used.set(account, (this.#used.get(account) ?? 0) + tookMs);
    this.#usedByAll += tookMs;
    this.#cpu.charge(account, tookMs);
  }
}
