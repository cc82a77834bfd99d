/**
 * Runs so many tasks at once, and so many of one key. Keys that wait take turns,
 * so that a key with a thousand tasks delays another's first by no more than the
 * tasks that are running.
 */
export class Turns {
  readonly #slots: number;
  readonly #slotsPerKey: number;
  #running = 0;
  readonly #runningOf = new Map<string, number>();
  /** By key, in the order of their turns. */
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor({ slots, slotsPerKey }: { slots: number; slotsPerKey: number }) {
    this.#slots = slots;
    this.#slotsPerKey = slotsPerKey;
  }

  /** Runs `work` when it is the key's turn, and settles as it does. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    if (!this.#hasRoom(key)) await this.#turn(key);
    else this.#take(key);
    try {
      return await work();
    } finally {
      this.#free(key);
    }
  }

  #hasRoom(key: string): boolean {
    return this.#running < this.#slots && (this.#runningOf.get(key) ?? 0) < this.#slotsPerKey;
  }

  #take(key: string): void {
    this.#running++;
    this.#runningOf.set(key, (this.#runningOf.get(key) ?? 0) + 1);
  }

  #turn(key: string): Promise<void> {
    return new Promise((start) => {
      const waiting = this.#waiting.get(key);
      if (waiting) waiting.push(start);
      else this.#waiting.set(key, [start]);
    });
  }

  #free(key: string): void {
    this.#running--;
    const left = (this.#runningOf.get(key) ?? 0) - 1;
    if (left > 0) this.#runningOf.set(key, left);
    else this.#runningOf.delete(key);
    for (const [next, waiting] of this.#waiting) {
      if (!this.#hasRoom(next)) continue;
      // Behind the other keys for its next one.
      this.#waiting.delete(next);
      const first = waiting.shift();
      if (waiting.length > 0) this.#waiting.set(next, waiting);
      this.#take(next);
      first?.();
      return;
    }
  }
}
