/** Checking a signature by a public key takes as long as hashing this many bytes. */
const BYTES_OF_SIGNATURE = 144 * 1024;

/** Verifying a request takes more work than allowed. */
export class VerifyingTooCostly extends Error {
  override readonly name = 'VerifyingTooCostly';
  constructor() {
    super('verifying the request takes too long');
  }
}

/**
 * Counts the work of verifying one request, in hashed bytes. The work is counted before it is done,
 * and not measured, so that the result doesn't depend on the machine's load.
 */
export class VerifyingWork {
  readonly #most: number;
  #spent = 0;

  /** @param most bytes */
  constructor(most: number) {
    this.#most = most;
  }

  /** Bytes. */
  get spent(): number {
    return this.#spent;
  }

  /** Throws `VerifyingTooCostly`. */
  hash(bytes: number): void {
    this.#spent += bytes;
    if (this.#spent > this.#most) throw new VerifyingTooCostly();
  }

  /** Counts one signature by a public key over `bytes` bytes. Throws `VerifyingTooCostly`. */
  signature(bytes: number): void {
    this.hash(BYTES_OF_SIGNATURE + bytes);
  }
}
