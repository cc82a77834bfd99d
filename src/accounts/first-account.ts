import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { HookrelayError } from '../core/errors.ts';

const TOKEN_BYTES = 24;

export interface FirstAccountOptions {
  countUsers(): Promise<number>;
}

/**
 * The right to create the first account of an empty server. Anybody who reads the
 * server's output has it. It ends with its use, or when any account exists. Its
 * token is in memory only: an empty server makes another at its next start.
 *
 * With registration closed, the only other way to an account is the command
 * `users create`.
 */
export class FirstAccount {
  readonly #countUsers: () => Promise<number>;
  readonly #token = randomBytes(TOKEN_BYTES).toString('base64url');
  #used = false;
  #hadAccounts = false;

  constructor({ countUsers }: FirstAccountOptions) {
    this.#countUsers = countUsers;
  }

  /** Whether this server has no account yet. */
  async isAwaited(): Promise<boolean> {
    // Accounts aren't deleted: after the first one, no query is needed.
    this.#hadAccounts ||= (await this.#countUsers()) > 0;
    return !this.#hadAccounts;
  }

  /** URL of the setup page. The token is in the fragment, which browsers never send. */
  link(baseUrl: string): string {
    return `${baseUrl}/setup#${this.#token}`;
  }

  /**
   * Runs `create` if the token is right. It succeeds once: a concurrent second call
   * is refused, and a failed one may be repeated. Throws `setup_link_invalid`.
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
