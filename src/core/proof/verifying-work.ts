/** The cost of checking a public-key signature, in hashed bytes. */
const BYTES_OF_SIGNATURE = 144 * 1024;

export class VerifyingTooCostly extends Error {
  override readonly name = 'VerifyingTooCostly';
  constructor() {
    super('verifying the request takes too long');
  }
}

/**
 * Counts the work of verifying one request, in hashed bytes. Measured time would depend on the
 * machine's load, so the work is counted in advance.
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

  /** Counts `bytes` hashed bytes. Throws `VerifyingTooCostly` before the work exceeds the limit. */
  hash(bytes: number): void {
    this.#spent += bytes;
    if (this.#spent > this.#most) throw new VerifyingTooCostly();
  }

  /** Counts one signature by a public key over `bytes` bytes. Throws `VerifyingTooCostly`. */
  signature(bytes: number): void {
    this.hash(BYTES_OF_SIGNATURE + bytes);
  }
}
