import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { HookrelayError } from '../core/errors.ts';

const TOKEN_BYTES = 24;

export interface FirstAccountOptions {
  countUsers(): Promise<number>;
}

/**
 * The right to create the first account of an empty server, for whoever reads
 * its output. It is open until somebody has used it, or until there is an
 * account, however that was made; it is in memory only, so the next start of a
 * server that is still empty makes another.
 *
 * With registration closed it is the only way in but the command line's
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

  /** Whether this server still waits for its first account. */
  async isAwaited(): Promise<boolean> {
    // Accounts don't go away: once there was one, nothing needs to be asked.
    this.#hadAccounts ||= (await this.#countUsers()) > 0;
    return !this.#hadAccounts;
  }

  /** Where to create it; the token is in the fragment, which browsers keep to themselves. */
  link(baseUrl: string): string {
    return `${baseUrl}/setup#${this.#token}`;
  }

  /**
   * Runs `create` by the right of the token, once: a second one at the same time
   * is refused, and one that failed may be repeated. Throws `setup_link_invalid`.
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
  return new HookrelayError('setup_link_invalid', 'this link was used, or is of an earlier start', {
    hint: 'log in, take the link that the running server printed, or run "hookrelay users create --email …"',
  });
}
