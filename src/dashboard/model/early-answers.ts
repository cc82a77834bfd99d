/** The maximum age of an early answer, ms. An older answer is stale. */
const FRESH_MS = 5000;

interface EarlyAnswer {
  answer: Promise<Response>;
  askedAt: number;
}

/**
 * Answers to requests that the page sends before a view needs them. Each answer can be taken once.
 * If the request failed, the taker gets the error.
 */
export class EarlyAnswers {
  readonly #send: (path: string) => Promise<Response>;
  readonly #byPath = new Map<string, EarlyAnswer>();

  constructor(send: (path: string) => Promise<Response>) {
    this.#send = send;
  }

  ask(path: string): void {
    if (this.#isFresh(this.#byPath.get(path))) return;
    const answer = this.#send(path);
    // If nobody takes the answer, its failure must not be an unhandled rejection.
    answer.catch(() => {});
    this.#byPath.set(path, { answer, askedAt: Date.now() });
  }

  /** Removes and returns the answer of a path. Returns null if there is none, or if it is stale. */
  take(path: string): Promise<Response> | null {
    const early = this.#byPath.get(path);
    this.#byPath.delete(path);
    return early && this.#isFresh(early) ? early.answer : null;
  }

  /** Forgets the answer of a path. Without a path, forgets all answers. */
  forget(path?: string): void {
    if (path === undefined) this.#byPath.clear();
    else this.#byPath.delete(path);
  }

  #isFresh(early: EarlyAnswer | undefined): boolean {
    return early !== undefined && Date.now() - early.askedAt < FRESH_MS;
  }
}
