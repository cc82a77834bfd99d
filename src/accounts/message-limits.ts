import { Allowance } from './allowance.ts';
import type { SharedTries } from './shared-limiter.ts';

const WINDOW_S = 60 * 60;
/** How many tests of its channels an account may ask for. */
const TESTS_PER_ACCOUNT = 5;
/** How many confirmations an account may send to addresses. */
const CONFIRMATIONS_PER_ACCOUNT = 5;
/** How many messages all accounts together may send to one unconfirmed address. */
const MESSAGES_PER_ADDRESS = 3;

/**
 * Limits the messages that people ask for: tests of channels, and confirmations of email addresses.
 * So nobody can use this server to flood a stranger's mailbox.
 *
 * Both methods throw `rate_limited`. If the address is over its limit, nothing counts for the
 * account.
 */
export class MessageLimits {
  readonly #tests: Allowance;
  readonly #confirmations: Allowance;
  readonly #addresses: Allowance;

  /** @param shared the counts that all nodes share. Null counts in memory. */
  constructor(shared: SharedTries | null) {
    const allowance = (name: string, what: string, points: number) =>
      new Allowance(shared, { name, what, points, windowS: WINDOW_S });
    this.#tests = allowance('channel/test', 'tests of channels', TESTS_PER_ACCOUNT);
    this.#confirmations = allowance(
      'channel/confirmation',
      'confirmations of addresses',
      CONFIRMATIONS_PER_ACCOUNT,
    );
    this.#addresses = allowance(
      'channel/address',
      'messages to this address',
      MESSAGES_PER_ADDRESS,
    );
  }

  /** @param unconfirmed the address, if it isn't confirmed */
  async takeTest(userId: string, unconfirmed: string | null): Promise<void> {
    if (unconfirmed !== null) await this.#addresses.check(unconfirmed);
    await this.#tests.take(userId);
    if (unconfirmed !== null) await this.#addresses.take(unconfirmed);
  }

  async takeConfirmation(userId: string, address: string): Promise<void> {
    await this.#addresses.check(address);
    await this.#confirmations.take(userId);
    await this.#addresses.take(address);
  }
}
