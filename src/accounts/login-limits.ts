import { clientNetwork } from '../core/http/client-network.ts';
import { Allowance } from './allowance.ts';
import type { SharedTries } from './shared-limiter.ts';

const LOGIN_WINDOW_S = 15 * 60;
/** How many failed logins one address may cause for one account. */
const FAILURES_PER_ACCOUNT = 10;
/** How many failed logins one address may cause for all accounts together. */
const FAILURES_PER_ADDRESS = 100;
const REGISTRATION_WINDOW_S = 60 * 60;
/**
 * How many registrations one address may try, failed ones included. Loopback has the same limit as
 * any address, because behind an untrusted proxy every client has the address of loopback. A test
 * suite, or an office behind one NAT, stays far below the limit. A flood gets 1 in 200 of the
 * registrations that hashing alone would allow. Only `--registration closed` stops it.
 */
const REGISTRATIONS_PER_ADDRESS = 1000;

/**
 * Limits password guesses and new accounts. Successful logins don't count. The failures of an
 * account are counted for each address, so an attacker can't lock the owner out from another
 * address. A window starts with the first try, and a refused try doesn't extend it.
 *
 * `check…` refuses early and takes nothing from the allowance. `begin…` takes one try from it just
 * before the hash, so a thousand concurrent logins get no more guesses than sequential logins. Both
 * throw `rate_limited`. Each key costs the attacker a hash, so the table stays small: at 70 hashes
 * a second, a window has 63,000 keys.
 *
 * A single process counts in memory and forgets the counts when it restarts. Nodes that share a
 * database count there, so three nodes allow no more guesses than one. That write takes little time
 * beside the hash.
 */
export class LoginLimits {
  readonly #byAccount: Allowance;
  readonly #byAddress: Allowance;
  readonly #registrations: Allowance;

  /** @param shared the counts that all nodes share. Null counts in memory. */
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

  /** Counts the login as failed until the caller calls `loginSucceeded`. */
  async beginLogin(address: string, email: string): Promise<void> {
    const source = clientNetwork(address);
    await this.#byAccount.take(accountKey(source, email));
    await this.#byAddress.take(source);
  }

  /**
   * Forgets the failures of this account from this address. The other failures of the address still
   * count, because an attacker may own an account.
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
