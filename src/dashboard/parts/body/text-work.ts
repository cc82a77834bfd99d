import type { JsonIndex } from '../../../core/text/json-index.ts';
import type { TextMatches } from './find-text.ts';
import { startTextWorker } from './start-worker.ts';
import { type TextAnswer, type TextJob, TextJobs } from './text-job.ts';

/** Length of a text that is worked on at once, characters: it takes some milliseconds. */
export const SHORT_CHARACTERS = 256 * 1024;

/**
 * Work on one text: a short one at once, a long one in a worker of its own, which ends with
 * `close`.
 */
export class TextWork {
  static #made = 0;
  /** Tells the works of this page apart. */
  readonly id = TextWork.#made++;
  readonly text: string;
  readonly #jobs: { take(job: TextJob): void };
  readonly #worker: Worker | null = null;
  #onIndex: (index: JsonIndex | null) => void = () => {};
  readonly #searches = new Map<number, (found: TextMatches) => void>();
  #searched = 0;

  constructor(text: string) {
    this.text = text;
    this.#worker = text.length > SHORT_CHARACTERS ? newWorker() : null;
    const worker = this.#worker;
    if (worker) {
      worker.onmessage = ({ data }: MessageEvent<TextAnswer>) => this.#take(data);
      this.#jobs = { take: (job) => worker.postMessage(job) };
    } else {
      this.#jobs = new TextJobs((answer) => this.#take(answer));
    }
    this.#jobs.take({ kind: 'text', text });
  }

  /**
   * Indexes the text as JSON, one document or several. `onIndex` is called before this returns for a short text, and
   * for a long one with its beginning first; null: it isn't JSON.
   */
  index(onIndex: (index: JsonIndex | null) => void): void {
    this.#onIndex = onIndex;
    this.#jobs.take({ kind: 'index' });
  }

  find(query: string): Promise<TextMatches> {
    const id = this.#searched++;
    return new Promise((resolve) => {
      this.#searches.set(id, resolve);
      this.#jobs.take({ kind: 'find', id, query });
    });
  }

  close(): void {
    this.#worker?.terminate();
    this.#onIndex = () => {};
    this.#searches.clear();
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

/** Null where the browser starts none: then the page does the work. */
function newWorker(): Worker | null {
  try {
    return startTextWorker();
  } catch {
    return null;
  }
}
