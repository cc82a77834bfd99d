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
/** Failed logins for one account from one address. */
const FAILURES_PER_ACCOUNT = 10;
/** Failed logins from one address, whatever the accounts. */
const FAILURES_PER_ADDRESS = 100;
const REGISTRATION_WINDOW_S = 60 * 60;
/**
 * Accounts tried to create from one address. Loopback is an address like any
 * other: behind a proxy that isn't trusted, every client has it. A test suite or
 * an office behind one NAT stays far below; who floods gets 1 in 200 of what the
 * hashing alone would let through. `--registration closed` is the real lock.
 */
const REGISTRATIONS_PER_ADDRESS = 1000;

/**
 * Slows the guessing of passwords and the making of accounts. Only failed
 * logins count, and an account's failures count for the address that they came
 * from alone, so that nobody can lock an owner out from elsewhere. A window
 * starts with the first that counts, and is not extended by refusals.
 *
 * `check…` refuses early, for nothing. `begin…` is called when the hash is about
 * to be computed and takes the try off the allowance, so that a thousand logins
 * at once get no more guesses than one after the other. Both throw
 * `rate_limited`. As every key costs a hash, the table stays small: at 70
 * hashes a second, 63,000 keys in a window.
 *
 * Counted in memory where one process has the data (a restart forgets), and in
 * the database by nodes that share it: three of them give no more guesses than
 * one, and a guess costs a hash, beside which a small write is nothing.
 */
export class LoginLimits {
  readonly #byAccount: Allowance;
  readonly #byAddress: Allowance;
  readonly #registrations: Allowance;

  /** @param shared where several nodes count together; null counts in memory */
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

  /** Counts as failed until `loginSucceeded`. */
  async beginLogin(address: string, email: string): Promise<void> {
    const source = clientNetwork(address);
    await this.#byAccount.take(accountKey(source, email));
    await this.#byAddress.take(source);
  }

  /**
   * Forgets the failures for this account from this address. Those of the
   * address stay: an attacker may have an account of his own.
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

/** So many tries in a window, for each key. */
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
      // The limiter rejects with its state, which is no Error.
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
      hint: 'wait as long as Retry-After says',
      // The limiter reads the wall clock: set back by a year, it would say so.
      retryAfterS: Math.min(Math.max(seconds, 1), this.#windowS),
    });
  }
}

function accountKey(source: string, email: string): string {
  return `${source} ${email}`;
}
