import { type ErrorCode, HookrelayError } from '../core/errors.ts';
import { TurnQueues } from './turn-queues.ts';

/** Most hashes at once. Each occupies a core and a libuv thread, which files need too, for 30 ms. */
const MAX_AT_ONCE = 2;
/** About a second's work. A client that would wait longer gets `Retry-After`. */
const MAX_WAITING_PER_ACCOUNT = 64;
const MAX_WAITING_PER_SOURCE = 128;
/** Most waiters in all. Bounds the memory for any number of accounts and addresses. */
const MAX_WAITING = 1024;
const RETRY_AFTER_S = 1;

/** The request for a hash. */
export interface HashTurn {
  /** The email of a login. Registrations of one address share that address instead. */
  account: string;
  /** The address, as `clientNetwork` gives it. */
  source: string;
  /** The noun of the refusal when the account has no place left, such as `logins`. */
  what: string;
}

interface Waiter extends HashTurn {
  begin(): void;
  refuse(error: HookrelayError): void;
}

/**
 * Lets password hashes take turns, `MAX_AT_ONCE` at a time.
 *
 * Every other turn goes to the next account, and those between go to the next
 * address. A flood for one account (from any number of addresses), or from one
 * address (for any number of accounts), then delays others by a few hashes.
 *
 * Waiters are capped for each account, for each address, and in all. A newcomer
 * without a place displaces the last waiter of the greediest: of an account's
 * places, the address with the most; of an address's places, the account with the
 * most. The displaced waiter is refused. A client with few places is never refused
 * because another has many.
 */
export class HashTurns {
  readonly #byAccount = new TurnQueues<Waiter>(({ account }) => account);
  readonly #bySource = new TurnQueues<Waiter>(({ source }) => source);
  readonly #waiting = new Set<Waiter>();
  #running = 0;
  #isAccountsTurn = true;

  /**
   * Runs `work` at its turn. Throws `rate_limited` if too many of this account or
   * address wait, and `overloaded` if too many wait in all.
   */
  async run<T>(turn: HashTurn, work: () => Promise<T>): Promise<T> {
    if (this.#running < MAX_AT_ONCE) this.#running++;
    else await this.#wait(turn);
    try {
      return await work();
    } finally {
      const next = this.#next();
      // The next waiter takes this place, so `#running` stays as it is.
      if (next) next.begin();
      else this.#running--;
    }
  }

  #wait(turn: HashTurn): Promise<void> {
    const { account, source, what } = turn;
    const ofAccount = this.#byAccount.lane(account);
    this.#makeRoom(turn, ofAccount, MAX_WAITING_PER_ACCOUNT, what, 'source');
    const ofSource = this.#bySource.lane(source);
    const fromSource = 'logins and registrations from this address';
    this.#makeRoom(turn, ofSource, MAX_WAITING_PER_SOURCE, fromSource, 'account');
    this.#makeRoom(turn, this.#waiting, MAX_WAITING, 'logins', 'source', 'overloaded');
    return new Promise((begin, refuse) => {
      const waiter = { ...turn, begin, refuse };
      this.#byAccount.add(waiter);
      this.#bySource.add(waiter);
      this.#waiting.add(waiter);
    });
  }

  #next(): Waiter | undefined {
    const waiter = (this.#isAccountsTurn ? this.#byAccount : this.#bySource).next();
    this.#isAccountsTurn = !this.#isAccountsTurn;
    if (waiter) this.#remove(waiter);
    return waiter;
  }

  /** Makes room for one more in `crowd`. Throws if the newcomer itself is the greediest. */
  #makeRoom(
    newcomer: HashTurn,
    crowd: ReadonlySet<Waiter>,
    max: number,
    what: string,
    share: 'account' | 'source',
    code: ErrorCode = 'rate_limited',
  ): void {
    if (crowd.size < max) return;
    const greediest = greediestOf(crowd, newcomer, share);
    if (!greediest) throw refusal(code, what, max);
    this.#remove(greediest);
    greediest.refuse(refusal('rate_limited', what, max));
  }

  #remove(waiter: Waiter): void {
    this.#byAccount.remove(waiter);
    this.#bySource.remove(waiter);
    this.#waiting.delete(waiter);
  }
}

/** The last waiter of the largest share; null if the newcomer's share would be as large. */
function greediestOf(
  crowd: ReadonlySet<Waiter>,
  newcomer: HashTurn,
  share: 'account' | 'source',
): Waiter | null {
  const shares = Map.groupBy(crowd, (waiter) => waiter[share]);
  let most: Waiter[] = [];
  for (const waiters of shares.values()) if (waiters.length > most.length) most = waiters;
  const own = shares.get(newcomer[share])?.length ?? 0;
  return own + 1 < most.length ? (most.at(-1) ?? null) : null;
}

function refusal(code: ErrorCode, what: string, max: number): HookrelayError {
  return new HookrelayError(code, `too many ${what} at once: ${max} are waiting`, {
    hint: 'wait for the seconds that Retry-After names, then retry',
    retryAfterS: RETRY_AFTER_S,
  });
}
