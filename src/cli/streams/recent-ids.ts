/**
 * Remembers the latest ids, so that an item that comes twice can be dropped. The server first sends
 * stored items and then live ones, and some items may come in both parts. After a reconnection,
 * some items come again.
 */
export class RecentIds {
  readonly #ids = new Set<string>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** Adds an id. Returns false if it is already known. */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    if (this.#ids.size > this.#most) {
      this.#ids.delete(this.#ids.values().next().value as string);
    }
    return true;
  }
}
