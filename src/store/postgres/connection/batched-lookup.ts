/**
 * Batches lookups: those requested during a query share the next query. Every capture looks up its
 * endpoint, and ten thousand queries a second would cost more than the captures. Results aren't
 * cached: each lookup's query starts after its request.
 */
export class BatchedLookup<T> {
  readonly #look: (keys: string[]) => Promise<Map<string, T>>;
  readonly #waiting: {
    key: string;
    resolve: (found: T | null) => void;
    reject: (error: unknown) => void;
  }[] = [];
  #running = false;

  constructor(look: (keys: string[]) => Promise<Map<string, T>>) {
    this.#look = look;
  }

  find(key: string): Promise<T | null> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ key, resolve, reject });
      if (this.#running) return;
      this.#running = true;
      setImmediate(() => void this.#run());
    });
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0);
      try {
        const found = await this.#look([...new Set(batch.map(({ key }) => key))]);
        for (const { key, resolve } of batch) resolve(found.get(key) ?? null);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#running = false;
  }
}
