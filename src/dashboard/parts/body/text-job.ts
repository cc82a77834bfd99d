import { indexJson, type JsonIndex } from '../../../core/text/json-index.ts';
import { findText, type TextMatches } from './find-text.ts';

/** What the page asks of a text. */
export type TextJob = { kind: 'index' } | { kind: 'find'; id: number; query: string };

/** `index`: null if the text isn't JSON. A long text gives two: of its beginning, then of all. */
export type TextAnswer =
  | { kind: 'index'; index: JsonIndex | null }
  | { kind: 'found'; id: number; found: TextMatches };

/** Characters of a long text that fill the first screen. They are indexed first. */
const FIRST_CHARACTERS = 128 * 1024;

/** Does a job on a text. */
export function* answersOf(text: string, job: TextJob): Generator<TextAnswer> {
  if (job.kind === 'find') {
    yield { kind: 'found', id: job.id, found: findText(text, job.query) };
    return;
  }
  if (text.length > 2 * FIRST_CHARACTERS) {
    const index = indexJson(text, { isMany: true, until: FIRST_CHARACTERS });
    yield { kind: 'index', index };
    if (!index) return;
  }
  yield { kind: 'index', index: indexJson(text, { isMany: true }) };
}

/** The memory of an answer, which moves to the page without a copy. */
export function memoryOf(answer: TextAnswer): ArrayBuffer[] {
  const holder = answer.kind === 'found' ? answer.found : answer.index;
  return Object.values(holder ?? {})
    .filter((value) => value instanceof Uint32Array)
    .map(({ buffer }) => buffer as ArrayBuffer);
}
