/**
 * Keeps slots for a while after their attempts have ended. A receiver that floods
 * is cut off within milliseconds, all of them processor time. If its slot were free
 * at once, one such attempt would follow another, and the processor would work for
 * as long as a hanging attempt only waits.
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
