import { HookrelayError } from '../../core/errors.ts';
import type { CpuUse } from '../../core/turns/cpu-use.ts';
import { Turns } from '../../core/turns/turns.ts';
import type { EventFilter } from '../../store/contract/events.ts';

/** Deadline of a search by rule or type, ms. */
const LONGEST_MS = 30_000;
/** Share of the deadline after which a list returns what it has found. */
const STOPS_AT = 5 / 6;
/** Searches and trials at once, in total and per account. They leave half of the readers free. */
const RUNNING = 4;
const RUNNING_PER_ACCOUNT = 2;
/** The largest number of waiting searches per account. */
const WAITING_PER_ACCOUNT = 8;
const RETRY_AFTER_S = 5;

/**
 * Limits searches by `where`, `type` or without case, and trials of rules. Other lists run at once.
 */
export class SearchTurns {
  readonly #longestMs: number;
  readonly #turns: Turns;

  constructor({ cpu, longestMs = LONGEST_MS }: { cpu?: CpuUse; longestMs?: number } = {}) {
    this.#longestMs = longestMs;
    this.#turns = new Turns({ slots: RUNNING, slotsPerKey: RUNNING_PER_ACCOUNT, cpu });
  }

  /**
   * Runs a search at its account's turn. Throws `overloaded` if too many searches of the account
   * wait, and `search_too_long` at the deadline. Rejects with the signal's reason.
   *
   * @param search must reject with its signal's reason. A list stops after `forMs`; undefined means
   *   no limit
   */
  async run<T>(
    account: string,
    filter: EventFilter,
    signal: AbortSignal,
    search: (signal: AbortSignal, forMs?: number) => Promise<T>,
  ): Promise<T> {
    const { where, type, ignoreCase = false } = filter;
    if (where === undefined && type === undefined && !ignoreCase) return search(signal);
    if (this.#turns.waitingOf(account) >= WAITING_PER_ACCOUNT) {
      throw new HookrelayError('overloaded', 'too many searches of this account wait', {
        hint: `try again in ${RETRY_AFTER_S} s`,
        retryAfterS: RETRY_AFTER_S,
      });
    }
    return this.inTurn(account, signal, () => this.#inTime(signal, search));
  }

  /** Runs a read of contents at its account's turn. Rejects with the signal's reason. */
  inTurn<T>(account: string, signal: AbortSignal, look: () => Promise<T>): Promise<T> {
    return this.#turns.run(account, look, signal);
  }

  async #inTime<T>(
    signal: AbortSignal,
    search: (signal: AbortSignal, forMs: number) => Promise<T>,
  ): Promise<T> {
    const end = new AbortController();
    const timer = setTimeout(() => end.abort(tooLong(this.#longestMs)), this.#longestMs);
    try {
      return await search(AbortSignal.any([signal, end.signal]), this.#longestMs * STOPS_AT);
    } finally {
      clearTimeout(timer);
    }
  }
}

function tooLong(longestMs: number): HookrelayError {
  return new HookrelayError(
    'search_too_long',
    `the search took longer than ${longestMs / 1000} s`,
    { hint: 'narrow the time range (from, to), or name a literal text of the body (q)' },
  );
}
