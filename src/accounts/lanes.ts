/** A queue for each key. The queues take turns, and each is first in, first out. */
export class Lanes<T> {
  readonly #keyOf: (item: T) => string;
  /** In the order of their turns. None is empty. */
  readonly #lanes = new Map<string, Set<T>>();

  constructor(keyOf: (item: T) => string) {
    this.#keyOf = keyOf;
  }

  /** What waits with this key, first come first. */
  lane(key: string): ReadonlySet<T> {
    return this.#lanes.get(key) ?? new Set();
  }

  /** A key that is new gets its turn after all others. */
  add(item: T): void {
    const key = this.#keyOf(item);
    const lane = this.#lanes.get(key);
    if (lane) lane.add(item);
    else this.#lanes.set(key, new Set([item]));
  }

  remove(item: T): void {
    const key = this.#keyOf(item);
    const lane = this.#lanes.get(key);
    lane?.delete(item);
    if (lane?.size === 0) this.#lanes.delete(key);
  }

  /** The item whose turn it is, which stays in its lane. The lane's next turn comes after all others. */
  next(): T | undefined {
    const [turn] = this.#lanes;
    if (!turn) return undefined;
    const [key, lane] = turn;
    this.#lanes.delete(key);
    this.#lanes.set(key, lane);
    const [item] = lane;
    return item;
  }
}
