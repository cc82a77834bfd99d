import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { HookrelayError } from '../../core/errors.ts';

/** OWASP's minimum for argon2id, the library's default algorithm: 19 MiB, 2 passes, 1 lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };
const SALT_BYTES = 16;
/** Each takes a core for some 30 ms and a thread of libuv's four, which files need too. */
const MAX_AT_ONCE = 2;
/** About a second's work: who waits longer is better told to come back. */
const MAX_WAITING = 64;
const OVERLOADED_RETRY_S = 1;

/**
 * Called when a password's turn has come, just before it is hashed: what it
 * throws ends the operation without a hash.
 */
export type Admit = () => Promise<void> | void;

/**
 * Hashes and checks passwords by argon2id, in NFC, whole whatever their length. At most `MAX_AT_ONCE` at a time; the others wait
 * in order, and past `MAX_WAITING` of them `overloaded` is thrown.
 */
export class Passwords {
  /** No password's, but as much work to check as every other. Made, not computed: that takes 30 ms. */
  readonly #dummyHash = phc(randomBytes(SALT_BYTES), randomBytes(COST.outputLen));
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** The PHC string to store. */
  hash(password: string, admit: Admit = () => {}): Promise<string> {
    return this.#inTurn(async () => {
      await admit();
      return hash(bytesOf(password), COST);
    });
  }

  /**
   * Whether `password` is the one that was hashed. Without a hash (no such
   * account) it takes as long and says no, so that time doesn't tell who has one.
   */
  verify(password: string, stored: string | null, admit: Admit = () => {}): Promise<boolean> {
    return this.#inTurn(async () => {
      await admit();
      const matches = await verify(stored ?? this.#dummyHash, bytesOf(password));
      return matches && stored !== null;
    });
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < MAX_AT_ONCE) {
      this.#running++;
    } else {
      if (this.#waiting.length >= MAX_WAITING) {
        throw new HookrelayError('overloaded', 'too many logins at once', {
          retryAfterS: OVERLOADED_RETRY_S,
        });
      }
      // Whoever finishes hands over its place, so `#running` stays as it is.
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}

/** The same characters typed on another system may come composed differently. */
function bytesOf(password: string): Buffer {
  return Buffer.from(password.normalize('NFC'), 'utf8');
}

/** As argon2 writes it: base64 without padding. */
function phc(salt: Buffer, output: Buffer): string {
  const [saltText, outputText] = [salt, output].map((bytes) =>
    bytes.toString('base64').replaceAll('=', ''),
  );
  const { memoryCost, timeCost, parallelism } = COST;
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${saltText}$${outputText}`;
}
