import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { HookrelayError } from '../core/errors.ts';

const TOKEN_BYTES = 24;

export interface FirstAccountOptions {
  countUsers(): Promise<number>;
}

/**
 * The right to create the first account of an empty server. Everybody who can read the server's
 * output has this right. It ends when somebody uses it, or when any account exists. The token is
 * only in memory, so an empty server makes another one at its next start.
 *
 * If registration is closed, the only other way to create an account is the command `users create`.
 */
export class FirstAccount {
  readonly #countUsers: () => Promise<number>;
  readonly #token = randomBytes(TOKEN_BYTES).toString('base64url');
  #used = false;
  #hadAccounts = false;

  constructor({ countUsers }: FirstAccountOptions) {
    this.#countUsers = countUsers;
  }

  /** Returns whether this server has no account yet. */
  async isAwaited(): Promise<boolean> {
    // Nobody deletes accounts, so no query is needed once there is one.
    this.#hadAccounts ||= (await this.#countUsers()) > 0;
    return !this.#hadAccounts;
  }

  /** Returns the URL of the setup page. The token is in the fragment, which browsers never send. */
  link(baseUrl: string): string {
    return `${baseUrl}/setup#${this.#token}`;
  }

  /**
   * Runs `create` if the token is right, and succeeds once. Refuses a second call while the first
   * one runs. The caller may repeat a call that failed. Throws `setup_link_invalid`.
   */
  async redeem<T>(token: string, create: () => Promise<T>): Promise<T> {
    if (!this.#matches(token) || this.#used) throw invalid();
    this.#used = true;
    try {
      if (!(await this.isAwaited())) throw invalid();
      return await create();
    } catch (error) {
      this.#used = false;
      throw error;
    }
  }

  #matches(token: string): boolean {
    return timingSafeEqual(digest(token), digest(this.#token));
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

function invalid(): HookrelayError {
  return new HookrelayError('setup_link_invalid', 'this setup link is used or outdated', {
    hint: 'log in, take the link that the running server printed, or run "hookrelay users create --email …"',
  });
}
