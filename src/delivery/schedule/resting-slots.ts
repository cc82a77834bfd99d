/**
 * Keeps slots occupied for a while after their attempts have ended. A receiver that floods an
 * attempt with data costs much processor time, although it is cut off within milliseconds. Without
 * the wait, such attempts would follow each other and take all processor time.
 */
export class RestingSlots {
  readonly #free = new Map<NodeJS.Timeout, () => void>();

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
