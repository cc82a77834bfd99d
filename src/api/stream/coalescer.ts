/** Between two writes to the same readers, ms: nobody who looks at a list sees it. */
const GATHER_MS = 50;

/**
 * When live streams write. A write costs each reader a system call, however
 * little it says: with a hundred readers, a server that wrote after every commit
 * would do little else. So what comes is written at the end of the turn of the
 * event loop it came in, and what follows within the next moment goes together.
 */
export class Coalescer {
  readonly #due = new Set<() => void>();
  #isSet = false;
  #lastAt = Number.NEGATIVE_INFINITY;

  /** Calls `write` once, soon; asking again until then changes nothing. */
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
