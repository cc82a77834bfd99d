import { type ErrorCode, HookrelayError } from '../core/errors.ts';
import { Lanes } from './lanes.ts';

/** Each takes a core for some 30 ms and a thread of libuv's, which files need too. */
const MAX_AT_ONCE = 2;
/** About a second's work. A client that would wait longer is better told to come back. */
const MAX_WAITING_PER_ACCOUNT = 64;
const MAX_WAITING_PER_SOURCE = 128;
/** Bounds the memory, however many accounts and addresses there are. */
const MAX_WAITING = 1024;
const RETRY_AFTER_S = 1;

/** Who asks for a hash. */
export interface HashTurn {
  /** The email of a login. Registrations have no account yet: those of one address share one. */
  account: string;
  /** The address, as `clientNetwork` gives it. */
  source: string;
  /** What there are too many of where the account has no place left, such as `logins`. */
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
 * Those that wait are bounded for each account, for each address, and in all.
 * Where no place is left, the greediest gives up its last one and is told so: the
 * address that has most of the account's places, the account that has most of the
 * address's. So nobody with few of them is refused because another has many.
 */
export class HashTurns {
  readonly #byAccount = new Lanes<Waiter>(({ account }) => account);
  readonly #bySource = new Lanes<Waiter>(({ source }) => source);
  readonly #waiting = new Set<Waiter>();
  #running = 0;
  #isAccountsTurn = true;

  /**
   * Runs `work` when its turn has come. Throws `rate_limited` where too many of this
   * account or address wait, and `overloaded` where too many wait in all.
   */
  async run<T>(turn: HashTurn, work: () => Promise<T>): Promise<T> {
    if (this.#running < MAX_AT_ONCE) this.#running++;
    else await this.#wait(turn);
    try {
      return await work();
    } finally {
      const next = this.#next();
      // It takes over this place, so `#running` stays as it is.
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

  /** Throws where the newcomer itself is the greediest by `share`. */
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

/** The last of those that share most of the crowd's places; null where the newcomer would have as many. */
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
  return new HookrelayError(code, `too many ${what} at once: ${max} wait for their turn`, {
    hint: 'wait as long as Retry-After says',
    retryAfterS: RETRY_AFTER_S,
  });
}
