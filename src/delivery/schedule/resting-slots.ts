/**
 * Keeps slots for a while after their attempts have ended. A flooding receiver is cut off within
 * milliseconds, but these are processor time. If its slot were free at once, such attempts would
 * follow one another and keep the processor busy.
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
