/** A queue for each key. The queues take turns, and each is first in, first out. */
export class TurnQueues<T> {
  readonly #keyOf: (item: T) => string;
  /** Queues by key, in the order of their turns. None is empty. */
  readonly #lanes = new Map<string, Set<T>>();

  constructor(keyOf: (item: T) => string) {
    this.#keyOf = keyOf;
  }

  /** Returns the items of a key, the oldest first. */
  lane(key: string): ReadonlySet<T> {
    return this.#lanes.get(key) ?? new Set();
  }

  /** Adds an item. A key without items gets its turn after all other keys. */
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

  /** Returns the next item and keeps it. Its queue gets its next turn after all others. */
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
