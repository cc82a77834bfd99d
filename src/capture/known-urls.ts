/** How long a capture URL counts as known after an event, ms. */
const KNOWN_MS = 1000;
/** At most this many URLs are in memory. Few servers have as many. */
const MAX_URLS = 10_000;

/**
 * Remembers the capture URLs that took a large event within `KNOWN_MS`. The server reads a large
 * body only if its URL exists. Asking the store would wait for the running commit.
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
    if (this.#until.size >= MAX_URLS) this.#until.clear();
    this.#until.set(publicToken, this.#monotonic() + KNOWN_MS);
  }
}
