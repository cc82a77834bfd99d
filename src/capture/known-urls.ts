/** A capture URL that took an event is taken to be there for so long, ms. */
const KNOWN_MS = 1000;
/** More of them at once than anybody has. */
const MOST = 10_000;

/**
 * Capture URLs that took an event just now. Before a large body is read, its URL
 * must exist; asking the store waits for the commit under way, and a URL that
 * large bodies keep coming to need not be asked about for each.
 */
export class KnownUrls {
  readonly #until = new Map<string, number>();
  readonly #monotonic: () => number;

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  has(publicToken: string): boolean {
    return (this.#until.get(publicToken) ?? 0) > this.#monotonic();
  }

  note(publicToken: string): void {
    if (this.#until.size >= MOST) this.#until.clear();
    this.#until.set(publicToken, this.#monotonic() + KNOWN_MS);
  }
}
