import { Allowance } from './allowance.ts';
import type { SharedTries } from './shared-limiter.ts';

const WINDOW_S = 60 * 60;
/** Most tests of an account's channels. */
const TESTS_PER_ACCOUNT = 5;
/** Most confirmations that an account sends to addresses. */
const CONFIRMATIONS_PER_ACCOUNT = 5;
/** Most messages that all accounts together send to one unconfirmed address. */
const MESSAGES_PER_ADDRESS = 3;

/**
 * Limits the messages that people ask for: tests of channels, and confirmations of email
 * addresses. Nobody can have this server flood a stranger's mailbox.
 *
 * Both methods throw `rate_limited`. A refusal by the address doesn't count for the account.
 */
export class MessageLimits {
  readonly #tests: Allowance;
  readonly #confirmations: Allowance;
  readonly #addresses: Allowance;

  /** @param shared the count that all nodes share; null counts in memory */
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
