/** Drops duplicates. An item may be both stored and live, and come again after a reconnection. */
export class RecentIds {
  readonly #ids = new Set<string>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** Returns false for a known id. */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    if (this.#ids.size > this.#most) {
      this.#ids.delete(this.#ids.values().next().value as string);
    }
    return true;
  }
}
