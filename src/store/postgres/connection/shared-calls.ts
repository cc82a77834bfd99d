/**
 * Lets calls share statements. While `atOnce` statements run, further calls wait. The next
 * statement takes all waiting calls. Otherwise each attempt would need its own connection when the
 * database is far away.
 */
export class SharedCalls<T, R> {
  readonly #run: (items: T[]) => Promise<R[]>;
  readonly #atOnce: number;
  #running = 0;
  #waiting: {
    items: readonly T[];
    resolve: (results: R[]) => void;
    reject: (error: unknown) => void;
  }[] = [];

  /** @param run returns one result for each item, in order */
  constructor(run: (items: T[]) => Promise<R[]>, atOnce: number) {
    this.#run = run;
    this.#atOnce = atOnce;
  }

  call(items: readonly T[]): Promise<R[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ items, resolve, reject });
      if (this.#running < this.#atOnce) void this.#runWaiting();
    });
  }

  async #runWaiting(): Promise<void> {
    this.#running++;
    while (this.#waiting.length > 0) {
      const calls = this.#waiting.splice(0);
      try {
        const results = await this.#run(calls.flatMap(({ items }) => items));
        for (const { items, resolve } of calls) resolve(results.splice(0, items.length));
      } catch (error) {
        for (const { reject } of calls) reject(error);
      }
    }
    this.#running--;
  }
}
