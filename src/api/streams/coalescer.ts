/** Shortest interval between two writes, ms. */
const GATHER_MS = 50;

/**
 * Coalesces writes to live streams. A write costs a system call for each reader, so a write after
 * every commit would occupy the server. The first item is written at the end of its turn of the
 * event loop. Items within the next `GATHER_MS` share a write.
 */
export class Coalescer {
  readonly #due = new Set<() => void>();
  #isSet = false;
  #lastAt = Number.NEGATIVE_INFINITY;

  /** Calls `write` once, within `GATHER_MS`. Ignores repeated requests until then. */
  soon(write: () => void): void {
    this.#due.add(write);
    if (this.#isSet) return;
    this.#isSet = true;
    const waitMs = this.#lastAt + GATHER_MS - performance.now();
    if (waitMs > 0) setTimeout(this.#writeAll, waitMs);
    else setImmediate(this.#writeAll);
  }

  readonly #writeAll = (): void => {
    const due = [...this.#due];
    this.#due.clear();
    this.#isSet = false;
    this.#lastAt = performance.now();
    for (const write of due) write();
  };
}
