/**
 * Closes opened resources in reverse order. `AsyncDisposableStack` does the same, but
 * the oldest Node in "engines" lacks it.
 */
export class CloseStack {
  readonly #closers: (() => unknown)[] = [];

  /** Adds a closer. A promise that it returns is awaited before the next closer runs. */
  defer(close: () => unknown): void {
    this.#closers.push(close);
  }

  /** Calls each closer once, even after a failure. Then throws the first failure. */
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
