/** The place of an event in the table. */
export interface Place {
  key: number;
  seq: number;
}

/** The matches of a search so far: their number, and the places of the newest. */
export class NewestMatches {
  total = 0;
  readonly #keep: number;
  #places: Place[] = [];

  /** @param keep how many of the newest matches to keep. The others are only counted */
  constructor(keep: number) {
    this.#keep = keep;
  }

  add(places: readonly Place[], total = places.length): void {
    this.total += total;
    if (this.#keep === 0) return;
    for (const { key, seq } of places) this.#places.push({ key, seq });
    // Most searches find newer matches first, so sort only rarely.
    if (this.#places.length > 2 * this.#keep) this.#places = this.newest(this.#keep);
  }

  newest(count: number): Place[] {
    return this.#places.sort((a, b) => b.seq - a.seq).slice(0, count);
  }
}
