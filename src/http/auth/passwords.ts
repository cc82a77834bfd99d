import { randomBytes } from 'node:crypto';
import { hash, hashSync, verify } from '@node-rs/argon2';
import { HookrelayError } from '../../core/errors.ts';

/** OWASP's minimum for argon2id: 19 MiB, 2 passes, 1 lane. */
const PARAMETERS = '$argon2id$v=19$m=19456,t=2,p=1$';
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
 * Hashes and checks passwords by argon2id with the library's defaults, in NFC,
 * whole whatever their length. At most `MAX_AT_ONCE` at a time; the others wait
 * in order, and past `MAX_WAITING` of them `overloaded` is thrown.
 */
export class Passwords {
  /** Of a password that nobody knows, by the same parameters as every other. */
  readonly #dummyHash: string;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** Blocks for one hash. Throws when the library's defaults aren't what we promise. */
  constructor() {
    this.#dummyHash = hashSync(randomBytes(32));
    if (!this.#dummyHash.startsWith(PARAMETERS)) {
      throw new Error(`the defaults of @node-rs/argon2 are no longer ${PARAMETERS}`);
    }
  }

  /** The PHC string to store. */
  hash(password: string, admit: Admit = () => {}): Promise<string> {
    return this.#inTurn(async () => {
      await admit();
      return hash(bytesOf(password));
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
