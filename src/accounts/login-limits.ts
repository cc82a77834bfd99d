import { RateLimiterMemory } from 'rate-limiter-flexible';
import { HookrelayError } from '../core/errors.ts';
import { clientNetwork } from '../core/http/client-network.ts';
import {
  type Limiter,
  type LimiterState,
  SharedLimiter,
  type SharedTries,
} from './shared-limiter.ts';

const LOGIN_WINDOW_S = 15 * 60;
/** Most failed logins for one account from one address. */
const FAILURES_PER_ACCOUNT = 10;
/** Most failed logins from one address, for any accounts. */
const FAILURES_PER_ADDRESS = 100;
const REGISTRATION_WINDOW_S = 60 * 60;
/**
 * Most registrations from one address, failed ones included. Loopback counts like
 * any address: behind an untrusted proxy, every client has it. A test suite or an
 * office behind one NAT stays far below. A flood gets 1 in 200 of what the hashing
 * alone would allow. `--registration closed` is the real lock.
 */
const REGISTRATIONS_PER_ADDRESS = 1000;

/**
 * Limits password guesses and new accounts. Successful logins don't count. An
 * account's failures count per address: nobody can lock an owner out from another
 * address. A window starts with its first try. Refusals don't extend it.
 *
 * `check…` refuses early and costs nothing. `begin…` takes a try off the allowance
 * just before the hash: a thousand concurrent logins get no more guesses than
 * sequential ones. Both throw `rate_limited`. Each key costs a hash, so the table
 * stays small: at 70 hashes a second, 63,000 keys in a window.
 *
 * A single process counts in memory, and a restart forgets. Nodes that share a
 * database count in it: three nodes allow no more guesses than one. That write is
 * cheap beside the hash.
 */
export class LoginLimits {
  readonly #byAccount: Allowance;
  readonly #byAddress: Allowance;
  readonly #registrations: Allowance;

  /** @param shared the count that all nodes share; null counts in memory */
  constructor(shared: SharedTries | null = null) {
    const limiter = (name: string, points: number, duration: number): Limiter =>
      shared
        ? new SharedLimiter(shared, { name, points, windowMs: duration * 1000 })
        : new RateLimiterMemory({ points, duration });
    this.#byAccount = new Allowance(
      limiter('login/account', FAILURES_PER_ACCOUNT, LOGIN_WINDOW_S),
      LOGIN_WINDOW_S,
      'failed logins',
    );
    this.#byAddress = new Allowance(
      limiter('login/address', FAILURES_PER_ADDRESS, LOGIN_WINDOW_S),
      LOGIN_WINDOW_S,
      'failed logins',
    );
    this.#registrations = new Allowance(
      limiter('registration', REGISTRATIONS_PER_ADDRESS, REGISTRATION_WINDOW_S),
      REGISTRATION_WINDOW_S,
      'registrations',
    );
  }

  async checkLogin(address: string, email: string): Promise<void> {
    const source = clientNetwork(address);
    await this.#byAccount.check(accountKey(source, email));
    await this.#byAddress.check(source);
  }

  /** Counts the login as failed until `loginSucceeded`. */
  async beginLogin(address: string, email: string): Promise<void> {
    const source = clientNetwork(address);
    await this.#byAccount.take(accountKey(source, email));
    await this.#byAddress.take(source);
  }

  /**
   * Forgets the failures of this account from this address. The address keeps its
   * other failures: an attacker may have an account of his own.
   */
  async loginSucceeded(address: string, email: string): Promise<void> {
    const source = clientNetwork(address);
    await this.#byAccount.clear(accountKey(source, email));
    await this.#byAddress.giveBack(source);
  }

  async checkRegistration(address: string): Promise<void> {
    await this.#registrations.check(clientNetwork(address));
  }

  async beginRegistration(address: string): Promise<void> {
    await this.#registrations.take(clientNetwork(address));
  }
}

/** A number of tries in a window, for each key. */
class Allowance {
  readonly #limiter: Limiter;
  readonly #windowS: number;
  readonly #what: string;

  constructor(limiter: Limiter, windowS: number, what: string) {
    this.#limiter = limiter;
    this.#windowS = windowS;
    this.#what = what;
  }

  async check(key: string): Promise<void> {
    const state = await this.#limiter.get(key);
    if (state && state.remainingPoints <= 0 && state.msBeforeNext > 0) throw this.#refusal(state);
  }

  async take(key: string): Promise<void> {
    try {
      await this.#limiter.consume(key);
    } catch (refused) {
      // The limiter rejects with its state, which isn't an Error.
      if (refused instanceof Error) throw refused;
      throw this.#refusal(refused as LimiterState);
    }
  }

  async giveBack(key: string): Promise<void> {
    await this.#limiter.reward(key);
  }

  async clear(key: string): Promise<void> {
    await this.#limiter.delete(key);
  }

  #refusal(state: LimiterState): HookrelayError {
    const seconds = Math.ceil(state.msBeforeNext / 1000);
    return new HookrelayError('rate_limited', `too many ${this.#what}`, {
      hint: 'retry after the seconds in Retry-After',
      // The limiter reads the wall clock, which may be set back by a year.
      retryAfterS: Math.min(Math.max(seconds, 1), this.#windowS),
    });
  }
}

function accountKey(source: string, email: string): string {
  return `${source} ${email}`;
}
