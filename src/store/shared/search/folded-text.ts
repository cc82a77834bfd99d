import type { Sieve } from '../../../core/rules/sieve.ts';
import { decodedBytes } from './search-text.ts';

/**
 * The largest number of runs in a sieve, and a run's length in characters. An index can't find
 * less.
 */
const RUNS = 4;
const RUN_LENGTH = 3;
/** The largest number of spellings of a run. */
const MOST_SPELLINGS = 20;
/** Characters with a meaning in a pattern. */
const SYNTAX = /[\\^$.*+?()[\]{}|/]/g;
/** Characters beyond ASCII that fold to these letters (Unicode's CaseFolding.txt). */
const ALSO: Record<string, string> = { k: '\u212a', s: '\u017f' };

/**
 * Returns a test of whether a body contains `q` in any case, by Unicode's simple case folding. The
 * test also reads a JSON body with its escapes decoded, as a case-sensitive search does.
 */
export function foldedTest(q: string): (body: Uint8Array) => boolean {
  const pattern = new RegExp(q.replace(SYNTAX, '\\$&'), 'iu');
  const isIn = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
    pattern.test(Buffer.from(buffer, byteOffset, byteLength).toString());
  return (body) => {
    if (isIn(body)) return true;
    const decoded = decodedBytes(body);
    return decoded !== null && isIn(decoded);
  };
}

/**
 * Returns a sieve for `q` in any case. The sieve has several clauses: a body that contains `q`
 * contains a text of each clause. They come from the runs with the fewest spellings, which exclude
 * the most bodies.
 */
export function foldedSieve(q: string): Sieve {
  const characters = [...q];
  const runs = characters
    .slice(0, characters.length - RUN_LENGTH + 1)
    .map((_, i) => spellings(characters.slice(i, i + RUN_LENGTH)))
    .filter((texts) => texts !== null);
  return runs.sort((a, b) => a.length - b.length).slice(0, RUNS);
}

/** Returns all spellings of a run. Returns null if one isn't ASCII, or if there are too many. */
function spellings(characters: readonly string[]): string[] | null {
  let texts = [''];
  for (const character of characters) {
    if (character > '\x7f') return null;
    const lower = character.toLowerCase();
    const forms = new Set([lower, character.toUpperCase(), ...(ALSO[lower] ?? '')]);
    texts = texts.flatMap((text) => [...forms].map((form) => text + form));
  }
  return texts.length <= MOST_SPELLINGS ? texts : null;
}
