/**
 * How to close what was opened, in reverse order. `AsyncDisposableStack` does the
 * same, and the oldest Node in "engines" lacks it.
 */
export class CloseStack {
  readonly #closers: (() => unknown)[] = [];

  /** `close` may return a promise, which is awaited before the next one is called. */
  defer(close: () => unknown): void {
    this.#closers.push(close);
  }

  /** Calls each of them once, also after a failure, and then throws the first failure. */
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
