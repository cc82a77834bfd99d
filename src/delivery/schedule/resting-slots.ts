/**
 * Slots that are kept for a while after their attempts have ended. A receiver that
 * floods is cut off within milliseconds, each of which the processor works: were its
 * slot free at once, one attempt after the other would fill the time of a hanging
 * one with work.
 */
export class RestingSlots {
  readonly #free = new Map<NodeJS.Timeout, () => void>();

  /** Calls `free` after `ms`, or at `freeAll`. */
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
