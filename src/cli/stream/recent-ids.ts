/**
 * The ids seen last. At the seam between what the server reads from its store
 * and what it hears live, a cursor can lie before what was sent already; after
 * a reconnection there, some come again.
 */
export class RecentIds {
  readonly #ids = new Set<string>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** False when it is known. */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    if (this.#ids.size > this.#most) {
      this.#ids.delete(this.#ids.values().next().value as string);
    }
    return true;
  }
}
