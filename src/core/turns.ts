interface Waiter {
  start(): void;
}

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
  readonly #waiting = new Map<string, Waiter[]>();

  constructor({ slots, slotsPerKey }: { slots: number; slotsPerKey: number }) {
    this.#slots = slots;
    this.#slotsPerKey = slotsPerKey;
  }

  /** Whether a task would begin at once and keep none waiting that is there already. */
  get isIdle(): boolean {
    return this.#running === 0 && this.#waiting.size === 0;
  }

  /** How many tasks of a key wait. */
  waitingOf(key: string): number {
    return this.#waiting.get(key)?.length ?? 0;
  }

  /**
   * Runs `work` at the key's turn. Settles with its result.
   *
   * @param signal ends the wait: a task that hasn't started rejects with the reason
   */
  async run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (!this.#hasRoom(key)) await this.#turn(key, signal);
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

  #turn(key: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#remove(key, waiter);
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        start() {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      const waiting = this.#waiting.get(key);
      if (waiting) waiting.push(waiter);
      else this.#waiting.set(key, [waiter]);
    });
  }

  #remove(key: string, waiter: Waiter): void {
    const left = this.#waiting.get(key)?.filter((other) => other !== waiter) ?? [];
    if (left.length > 0) this.#waiting.set(key, left);
    else this.#waiting.delete(key);
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
      first?.start();
      return;
    }
  }
}
