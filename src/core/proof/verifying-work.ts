/** What a signature by a public key takes, as bytes that take as long to hash. */
const BYTES_OF_SIGNATURE = 144 * 1024;

/** Verifying a request takes more than it may. */
export class VerifyingTooCostly extends Error {
  override readonly name = 'VerifyingTooCostly';
  constructor() {
    super('verifying the request takes too long');
  }
}

/**
 * What verifying one request takes, in bytes that are hashed. It is counted before it is done,
 * so it doesn't depend on what else the machine does.
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

  /** One signature by a public key over so many bytes. Throws `VerifyingTooCostly`. */
  signature(bytes: number): void {
    this.hash(BYTES_OF_SIGNATURE + bytes);
  }
}
