import { indexJson, type JsonIndex } from '../../../core/text/json-index.ts';
import { findText, type TextMatches } from './find-text.ts';

/** A job on a text: index it, or find a query in it. */
export type TextJob = { kind: 'index' } | { kind: 'find'; id: number; query: string };

/**
 * The answer to a job. `index` is null if the text isn't JSON. A long text gets two: for its
 * beginning, then for all of it.
 */
export type TextAnswer =
  | { kind: 'index'; index: JsonIndex | null }
  | { kind: 'found'; id: number; found: TextMatches };

/** How many characters of a long text fill the first screen. They are indexed first. */
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

/** Returns the memory of an answer. A worker transfers it to the page without a copy. */
export function memoryOf(answer: TextAnswer): ArrayBuffer[] {
  const holder = answer.kind === 'found' ? answer.found : answer.index;
  return Object.values(holder ?? {})
    .filter((value) => value instanceof Uint32Array)
    .map(({ buffer }) => buffer as ArrayBuffer);
}
