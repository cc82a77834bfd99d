/** Keeps when each place is due, Unix ms. A place takes about 60 bytes. */
export class DueTimes {
  readonly #times = new Map<number, number>();
  /** No place is due before this time, Unix ms. */
  #earliest = Number.POSITIVE_INFINITY;

  /**
   * Notes when a place is due. An earlier time stays, because judging a place too early does no
   * harm.
   */
  note(key: number, at: number): void {
    if (at >= (this.#times.get(key) ?? Number.POSITIVE_INFINITY)) return;
    this.#times.set(key, at);
    this.#earliest = Math.min(this.#earliest, at);
  }

  /** Removes and returns at most `limit` places that are due before `now`. */
  take(now: number, limit: number): number[] {
    if (this.#earliest >= now) return [];
    const taken: number[] = [];
    this.#earliest = Number.POSITIVE_INFINITY;
    for (const [key, at] of this.#times) {
      if (at < now && taken.length < limit) taken.push(key);
      else this.#earliest = Math.min(this.#earliest, at);
    }
    for (const key of taken) this.#times.delete(key);
    return taken;
  }
}
