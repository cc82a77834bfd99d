import type { JsonIndex } from '../../../core/text/json-index.ts';
import type { TextMatches } from './find-text.ts';
import { startTextWorker } from './start-worker.ts';
import { answersOf, type TextAnswer, type TextJob } from './text-job.ts';

/** The longest text that the page's own thread works on, characters. It takes some ms. */
export const SHORT_CHARACTERS = 256 * 1024;

/**
 * Indexes and searches one text. The page's thread works on a short text, and a worker on a long
 * one. `close` ends the worker.
 */
export class TextWork {
  static #made = 0;
  /** Distinguishes this work from other work on the page. */
  readonly id = TextWork.#made++;
  readonly text: string;
  readonly #worker: Worker | null;
  #onIndex: (index: JsonIndex | null) => void = () => {};
  readonly #searches = new Map<number, (found: TextMatches) => void>();
  #searched = 0;

  constructor(text: string) {
    this.text = text;
    this.#worker = text.length > SHORT_CHARACTERS ? newWorker() : null;
    if (!this.#worker) return;
    this.#worker.onmessage = ({ data }: MessageEvent<TextAnswer>) => this.#take(data);
    this.#worker.postMessage(text);
  }

  /**
   * Indexes the text as one JSON document or several. Calls `onIndex` with null if the text isn't
   * JSON. A short text gets its call before `index` returns. A long text gets two calls: for its
   * beginning, and then for the whole text.
   */
  index(onIndex: (index: JsonIndex | null) => void): void {
    this.#onIndex = onIndex;
    this.#ask({ kind: 'index' });
  }

  find(query: string): Promise<TextMatches> {
    const id = this.#searched++;
    return new Promise((resolve) => {
      this.#searches.set(id, resolve);
      this.#ask({ kind: 'find', id, query });
    });
  }

  close(): void {
    this.#worker?.terminate();
    this.#onIndex = () => {};
    this.#searches.clear();
  }

  #ask(job: TextJob): void {
    if (this.#worker) this.#worker.postMessage(job);
    else for (const answer of answersOf(this.text, job)) this.#take(answer);
  }

  #take(answer: TextAnswer): void {
    if (answer.kind === 'index') {
      this.#onIndex(answer.index);
      return;
    }
    this.#searches.get(answer.id)?.(answer.found);
    this.#searches.delete(answer.id);
  }
}

/** Starts a worker. If the browser refuses, returns null: the page's thread then does the work. */
function newWorker(): Worker | null {
  try {
    return startTextWorker();
  } catch {
    return null;
  }
}
