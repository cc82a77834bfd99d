/**
 * The latest ids, to drop duplicates. The server sends stored items first, then live ones. Where
 * the two meet, a cursor may lie before items already sent, and a reconnection repeats them.
 */
export class RecentIds {
  readonly #ids = new Set<string>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** Adds an id. False if it is known. */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    if (this.#ids.size > this.#most) {
      this.#ids.delete(this.#ids.values().next().value as string);
    }
    return true;
  }
}
