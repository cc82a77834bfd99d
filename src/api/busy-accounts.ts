import { setTimeout as sleep } from 'node:timers/promises';
import { HookrelayError } from '../core/errors.ts';
import type { CpuUse } from '../core/turns/cpu-use.ts';

/** CPU time of the last 10 s above which an account yields to others, ms. */
const MUCH_MS = 4000;
/** Longest delay of a request, ms. */
const LONGEST_WAIT_MS = 5000;
/** Interval between two checks for waiting accounts, ms. */
const POLL_EVERY_MS = 50;
const RETRY_AFTER_S = 5;

/** Delays the API requests of an account that used much CPU while other accounts wait. */
export class BusyAccounts {
  readonly #cpu: CpuUse;

  constructor(cpu: CpuUse) {
    this.#cpu = cpu;
  }

  /**
   * Resolves when a request of the account may go on. Throws `busy` after 5 s. Rejects when
   * the signal is aborted.
   */
  async admit(account: string, signal: AbortSignal): Promise<void> {
    for (let waited = 0; this.#isInTheWay(account); waited += POLL_EVERY_MS) {
      if (waited >= LONGEST_WAIT_MS) {
        const message = 'this account used most of the processor, and other accounts wait for it';
        throw new HookrelayError('busy', message, {
          hint: `try again in ${RETRY_AFTER_S} s`,
          retryAfterS: RETRY_AFTER_S,
        });
      }
      await sleep(POLL_EVERY_MS, undefined, { signal });
    }
  }

  #isInTheWay(account: string): boolean {
    return this.#cpu.othersWait(account) && this.#cpu.of(account) > MUCH_MS;
  }
}
