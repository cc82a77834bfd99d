import { indexJson, type JsonIndex } from '../../../core/text/json-index.ts';
import { findText, type TextMatches } from './find-text.ts';

export type TextJob = { kind: 'index' } | { kind: 'find'; id: number; query: string };

/**
 * The answer to a job. `index` is null if the text isn't JSON. A long text gets two indexes: for
 * its beginning, and then for all of it.
 */
export type TextAnswer =
  | { kind: 'index'; index: JsonIndex | null }
  | { kind: 'found'; id: number; found: TextMatches };

/** The beginning of a long text, characters. It fills the first screen and is indexed first. */
const FIRST_CHARACTERS = 128 * 1024;

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

/** Returns the buffers of an answer. A worker transfers them to the page without a copy. */
export function memoryOf(answer: TextAnswer): ArrayBuffer[] {
  const holder = answer.kind === 'found' ? answer.found : answer.index;
  return Object.values(holder ?? {})
    .filter((value) => value instanceof Uint32Array)
    .map(({ buffer }) => buffer as ArrayBuffer);
}
