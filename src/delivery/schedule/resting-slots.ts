/**
 * Keeps slots for a while after their attempts have ended. A receiver that floods an attempt with
 * data is cut off within milliseconds, but reading them keeps the processor busy. If the slot were
 * free at once, such attempts would follow one another and take all of the processor's time.
 */
export class RestingSlots {
  readonly #free = new Map<NodeJS.Timeout, () => void>();

  /** Calls `free` after `ms`, or earlier if `freeAll` is called. */
  add(ms: number, free: () => void): void {
    const timer = setTimeout(() => {
      this.#free.delete(timer);
      free();
    }, ms).unref();
    this.#free.set(timer, free);
  }

  freeAll(): void {
    for (const [timer, free] of this.#free) {
      clearTimeout(timer);
      free();
    }
    this.#free.clear();
  }
}
