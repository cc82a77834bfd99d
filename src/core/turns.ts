/**
 * Runs at most `slots` tasks at once, and at most `slotsPerKey` of one key. Waiting
 * keys take turns: a key with a thousand tasks delays another's first task only by
 * the running tasks.
 */
export class Turns {
  readonly #slots: number;
  readonly #slotsPerKey: number;
  #running = 0;
  readonly #runningOf = new Map<string, number>();
  /** Waiting tasks by key, in the order of the keys' turns. */
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor({ slots, slotsPerKey }: { slots: number; slotsPerKey: number }) {
    this.#slots = slots;
    this.#slotsPerKey = slotsPerKey;
  }

  /** Runs `work` at the key's turn. Settles with its result. */
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
      // The key's next task waits behind the other keys.
      this.#waiting.delete(next);
      const first = waiting.shift();
      if (waiting.length > 0) this.#waiting.set(next, waiting);
      this.#take(next);
      first?.();
      return;
    }
  }
}
