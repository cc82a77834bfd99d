/**
 * Closes resources in the reverse order of their opening. `AsyncDisposableStack` does the same, but
 * the oldest Node in "engines" lacks it.
 */
export class CloseStack {
  readonly #closers: (() => unknown)[] = [];

  /** Adds a closer. If it returns a promise, the next closer waits for it. */
  defer(close: () => unknown): void {
    this.#closers.push(close);
  }

  /** Calls each closer once, even after a failure. At the end, throws the first failure. */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (let close = this.#closers.pop(); close; close = this.#closers.pop()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
