/**
 * Limits the total size of the bodies that are being received or wait for a commit. Bytes count
 * when they arrive. So a thousand connections that announce 25 MiB and send nothing reserve
 * nothing.
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

  /** Takes `bytes` from the budget. Returns false, and takes nothing, if fewer are left. */
  take(bytes: number): boolean {
    if (this.#usedBytes + bytes > this.#maxBytes) return false;
    this.#usedBytes += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#usedBytes -= bytes;
  }
}
