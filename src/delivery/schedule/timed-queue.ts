import type { Clock } from '../../core/runtime/runtime.ts';

/** Keeps items, and hands each over at its time. */
export class TimedQueue<T> {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #onDue: (item: T) => void;
  readonly #timers = new Map<T, NodeJS.Timeout>();

  constructor(clock: Pick<Clock, 'now'>, onDue: (item: T) => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  /** @param at Unix ms */
  add(item: T, at: number): void {
    const timer = setTimeout(() => {
      // Timers may fire a little early.
      if (this.#clock.now() < at) return this.add(item, at);
      this.#timers.delete(item);
      this.#onDue(item);
    }, at - this.#clock.now());
    this.#timers.set(item, timer.unref());
  }

  items(): T[] {
    return [...this.#timers.keys()];
  }

  clear(): T[] {
    const items = this.items();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    return items;
  }
}
