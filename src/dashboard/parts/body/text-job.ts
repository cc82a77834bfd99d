import { indexJson, type JsonIndex } from '../../../core/text/json-index.ts';
import { findText, type TextMatches } from './find-text.ts';

/** What the page asks the worker for. The text comes first, and once. */
export type TextJob =
  | { kind: 'text'; text: string }
  | { kind: 'index' }
  | { kind: 'find'; id: number; query: string };

/** `index`: null for what isn't JSON. It comes twice for a long text: its beginning, then all. */
export type TextAnswer =
  | { kind: 'index'; index: JsonIndex | null }
  | { kind: 'found'; id: number; found: TextMatches };

/** Characters of a long text that are indexed first, for the first screen. */
const FIRST_CHARACTERS = 128 * 1024;

/** Does the jobs on one text, and hands out what they give. */
export class TextJobs {
  #text = '';
  readonly #answer: (answer: TextAnswer) => void;

  constructor(answer: (answer: TextAnswer) => void) {
    this.#answer = answer;
  }

  take(job: TextJob): void {
    switch (job.kind) {
      case 'text':
        this.#text = job.text;
        return;
      case 'index':
        this.#index();
        return;
      case 'find':
        this.#answer({ kind: 'found', id: job.id, found: findText(this.#text, job.query) });
    }
  }

  #index(): void {
    if (this.#text.length > 2 * FIRST_CHARACTERS) {
      const first = indexJson(this.#text, { isMany: true, until: FIRST_CHARACTERS });
      this.#answer({ kind: 'index', index: first });
      if (!first) return;
    }
    this.#answer({ kind: 'index', index: indexJson(this.#text, { isMany: true }) });
  }
}

/** The memory of an answer, which moves to the page without a copy. */
export function memoryOf(answer: TextAnswer): ArrayBuffer[] {
  const holder = answer.kind === 'found' ? answer.found : answer.index;
  return Object.values(holder ?? {})
    .filter((value) => value instanceof Uint32Array)
    .map(({ buffer }) => buffer as ArrayBuffer);
}
