import type { Sieve } from '../../../core/rules/sieve.ts';
import { decodedBytes } from './search-text.ts';

/** Runs that a sieve looks for, and the characters of a run: the least that an index takes. */
const RUNS = 4;
const RUN_LENGTH = 3;
/** Most spellings of a run. */
const MOST_SPELLINGS = 20;
/** Characters that mean something in a pattern. */
const SYNTAX = /[\\^$.*+?()[\]{}|/]/g;
/** Characters beyond ASCII that fold to these letters (Unicode's CaseFolding.txt). */
const ALSO: Record<string, string> = { k: '\u212a', s: '\u017f' };

/**
 * Returns a test whether a body contains `q` whatever the case of both, by Unicode's simple
 * case folding. Like a search that minds the case, it also reads a JSON body with its
 * escapes decoded.
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
 * Texts of which a body contains one of each clause when it contains `q` in any case. The
 * runs with the fewest spellings say most.
 */
export function foldedSieve(q: string): Sieve {
  const characters = [...q];
  const runs = characters
    .slice(0, characters.length - RUN_LENGTH + 1)
    .map((_, i) => spellings(characters.slice(i, i + RUN_LENGTH)))
    .filter((texts) => texts !== null);
  return runs.sort((a, b) => a.length - b.length).slice(0, RUNS);
}

/** Null where a character isn't ASCII, or the spellings are too many. */
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
