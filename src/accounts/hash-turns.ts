import { type ErrorCode, HookrelayError } from '../core/errors.ts';
import { TurnQueues } from './turn-queues.ts';

/**
 * How many hashes run at once. Each takes 30 ms of a core. It also holds a libuv thread, and file
 * operations need those too.
 */
const MAX_AT_ONCE = 2;
/** How many hashes wait for one account: about a second's work. Others get `Retry-After`. */
const MAX_WAITING_PER_ACCOUNT = 64;
const MAX_WAITING_PER_SOURCE = 128;
/** How many hashes wait in all. Bounds the memory for any number of accounts and addresses. */
const MAX_WAITING = 1024;
const RETRY_AFTER_S = 1;

/** The request for a hash. */
export interface HashTurn {
  /** The email of a login. All registrations from one address share that address instead. */
  account: string;
  /** The client's network, from `clientNetwork`. */
  source: string;
  /** What the error message counts if too many wait for this account, such as `logins`. */
  what: string;
}

interface Waiter extends HashTurn {
  begin(): void;
  refuse(error: HookrelayError): void;
}

/**
 * Lets password hashes take turns, `MAX_AT_ONCE` at a time.
 *
 * One turn goes to the next account, the following turn to the next address, and so on. An attacker
 * may flood one account from many addresses, or many accounts from one address. Either flood delays
 * other clients by only a few hashes.
 *
 * The number of waiters is limited for each account, for each address, and in all. If a limit is
 * reached, a newcomer displaces a waiter, which is refused. At the limit of an account, it is the
 * last waiter of the address that has the most waiters there. At the limit of an address, it is the
 * last waiter of the account that has the most. So a client with few waiters is never refused
 * because another client has many.
 */
export class HashTurns {
  readonly #byAccount = new TurnQueues<Waiter>(({ account }) => account);
  readonly #bySource = new TurnQueues<Waiter>(({ source }) => source);
  readonly #waiting = new Set<Waiter>();
  #running = 0;
  #isAccountsTurn = true;

  /**
   * Runs `work` when its turn comes. Throws `rate_limited` if too many hashes wait for this account
   * or address, and `overloaded` if too many wait in all.
   */
  async run<T>(turn: HashTurn, work: () => Promise<T>): Promise<T> {
    if (this.#running < MAX_AT_ONCE) this.#running++;
    else await this.#wait(turn);
    try {
      return await work();
    } finally {
      const next = this.#next();
      // The next waiter takes over this place, so `#running` doesn't change.
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

  /** Makes room for one more in `crowd`. Throws if the newcomer's own share is the largest. */
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

/** Returns the last waiter of the largest share, or null if the newcomer's would be as large. */
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
