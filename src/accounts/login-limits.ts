import { clientNetwork } from '../core/http/client-network.ts';
import { Allowance } from './allowance.ts';
import type { SharedTries } from './shared-limiter.ts';

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
    const failures = (name: string, points: number) =>
      new Allowance(shared, { name, what: 'failed logins', points, windowS: LOGIN_WINDOW_S });
    this.#byAccount = failures('login/account', FAILURES_PER_ACCOUNT);
    this.#byAddress = failures('login/address', FAILURES_PER_ADDRESS);
    this.#registrations = new Allowance(shared, {
      name: 'registration',
      what: 'registrations',
      points: REGISTRATIONS_PER_ADDRESS,
      windowS: REGISTRATION_WINDOW_S,
    });
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

function accountKey(source: string, email: string): string {
  return `${source} ${email}`;
}
