/**
 * Bytes of bodies that are being received or wait for their commit, all
 * requests together. Counted as they arrive, not as declared: a thousand
 * connections that announce 25 MiB and send nothing reserve nothing.
 */
export class MemoryBudget {
  readonly #maxBytes: number;
  #usedBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** False, and nothing taken, when there isn't so much left. */
  take(bytes: number): boolean {
    if (this.#usedBytes + bytes > this.#maxBytes) return false;
    this.#usedBytes += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#usedBytes -= bytes;
  }
}
