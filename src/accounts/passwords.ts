import { clientNetwork } from '../core/http/client-network.ts';
import type { AccountStore } from '../store/contract/accounts.ts';
import type { LoginInput } from './credentials.ts';
import { HashTurns } from './hash-turns.ts';
import type { LoginLimits } from './login-limits.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';

type FoundUser = NonNullable<Awaited<ReturnType<AccountStore['findUserByEmail']>>>;

/** Hashes and checks passwords. It limits the guesses, and hashes take turns. */
export class Passwords {
  readonly #limits: LoginLimits;
  readonly #find: AccountStore['findUserByEmail'];
  readonly #turns = new HashTurns();

  constructor(limits: LoginLimits, find: AccountStore['findUserByEmail']) {
    this.#limits = limits;
    this.#find = find;
  }

  /** Returns the hash for a new account. Throws `rate_limited`, `overloaded`. */
  async hashOfRegistration(password: string, address: string): Promise<string> {
    await this.#limits.checkRegistration(address);
    // A taken email costs a hash too. Otherwise anybody could probe for emails at no cost.
    const source = clientNetwork(address);
    const turn = { account: source, source, what: 'registrations from this address' };
    return this.#turns.run(turn, async () => {
      await this.#limits.beginRegistration(address);
      return hashPassword(password);
    });
  }

  /** Returns the hash of an account's new password. Throws `rate_limited`, `overloaded`. */
  hash({ email, password }: LoginInput, address: string): Promise<string> {
    return this.#turns.run(turnOf(email, address), () => hashPassword(password));
  }

  /**
   * Checks a password, with the same work for known and unknown emails. A wrong password counts as
   * a failed login. Throws `rate_limited`, `overloaded`.
   */
  async check(
    { email, password }: LoginInput,
    address: string,
  ): Promise<{ found: FoundUser | null; isRight: boolean }> {
    await this.#limits.checkLogin(address, email);
    const found = await this.#find(email);
    const isRight = await this.#turns.run(turnOf(email, address), async () => {
      await this.#limits.beginLogin(address, email);
      return verifyPassword(password, found?.passwordHash ?? null);
    });
    if (isRight) await this.#limits.loginSucceeded(address, email);
    return { found, isRight };
  }
}

function turnOf(email: string, address: string) {
  return { account: email, source: clientNetwork(address), what: 'logins of this account' };
}
