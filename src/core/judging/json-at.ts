import { parseDocument, type Value } from '../rules/document.ts';
import { EVERY, type PathStep } from '../rules/path.ts';
import { RuleTooCostly } from '../rules/work.ts';
import {
  ARRAY,
  ARRAY_END,
  BACKSLASH,
  COLON,
  COMMA,
  jsonEnd,
  NotJson,
  OBJECT,
  OBJECT_END,
  spaceEnd,
  stringEnd,
} from './json-end.ts';

/** The largest number of elements that all paths together may match. */
const MOST_ELEMENTS = 100_000;

type Paths = readonly (readonly PathStep[])[];

/**
 * Reads only the given paths of a JSON text. An object or an array at the end of a path is returned
 * empty.
 *
 * Returns `undefined` for malformed text. Throws `RuleTooCostly` if `[*]` matches too many
 * elements.
 *
 * @param bytes UTF-8
 */
export function jsonAt(bytes: Buffer, paths: Paths): Value | undefined {
  try {
    return new PathReader(bytes).document(paths);
  } catch (error) {
    if (error instanceof NotJson) return undefined;
    throw error;
  }
}

class PathReader {
  readonly #bytes: Buffer;
  #at = 0;
  #elements = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  document(paths: Paths): Value {
    const value = this.#value(paths);
    if (spaceEnd(this.#bytes, this.#at) < this.#bytes.length) throw new NotJson();
    return value;
  }

  /** Reads one value. The recursion is only as deep as the longest path. */
  #value(paths: Paths): Value {
    const first = this.#next();
    const inner = paths.filter((path) => path.length > 0);
    if (first === OBJECT && inner.some(([step]) => typeof step === 'string')) {
      return this.#object(inner);
    }
    if (first === ARRAY && inner.some(([step]) => typeof step !== 'string')) {
      return this.#array(inner);
    }
    const start = this.#at;
    this.#at = jsonEnd(this.#bytes, start);
    if (first === OBJECT) return {};
    if (first === ARRAY) return [];
    const isWanted = inner.length < paths.length;
    return isWanted ? parseDocument(this.#bytes.toString('utf8', start, this.#at)) : null;
  }

  #object(paths: Paths): Value {
    const members = tailsBy(paths);
    const found = new Map<string, Value>();
    this.#at++;
    if (this.#next() === OBJECT_END) return this.#closed({});
    for (;;) {
      const tails = members.get(this.#name());
      if (this.#next() !== COLON) throw new NotJson();
      this.#at++;
      // The last of several members with the same name counts, as in `JSON.parse`.
      if (tails) found.set(tails.name, this.#value(tails.paths));
      else this.#at = jsonEnd(this.#bytes, this.#at);
      const next = this.#next();
      if (next === OBJECT_END) return this.#closed(Object.fromEntries(found));
      if (next !== COMMA) throw new NotJson();
      this.#at++;
      this.#next();
    }
  }

  #array(paths: Paths): Value {
    const ofEvery = paths.filter(([step]) => step === EVERY).map((path) => path.slice(1));
    const indexes = new Set(paths.map(([step]) => step));
    const elements: Value[] = [];
    this.#at++;
    if (this.#next() === ARRAY_END) return this.#closed([]);
    for (let i = 0; ; i++) {
      if (ofEvery.length > 0 || indexes.has(i)) {
        const named = paths.filter(([step]) => step === i).map((path) => path.slice(1));
        if (++this.#elements > MOST_ELEMENTS) throw new RuleTooCostly('too_large');
        elements[i] = this.#value([...ofEvery, ...named]);
      } else this.#at = jsonEnd(this.#bytes, this.#at);
      const next = this.#next();
      if (next === ARRAY_END) return this.#closed(elements);
      if (next !== COMMA) throw new NotJson();
      this.#at++;
    }
  }

  /** Reads a name. A name without escapes needs no parser. */
  #name(): string {
    const start = this.#at;
    this.#at = stringEnd(this.#bytes, start);
    const text = this.#bytes.toString('utf8', start + 1, this.#at - 1);
    const hasEscape = this.#bytes.subarray(start, this.#at).includes(BACKSLASH);
    return hasEscape ? (JSON.parse(`"${text}"`) as string) : text;
  }

  #closed(container: Value): Value {
    this.#at++;
    return container;
  }

  /** Skips blanks and returns the next byte. */
  #next(): number | undefined {
    this.#at = spaceEnd(this.#bytes, this.#at);
    return this.#bytes[this.#at];
  }
}

/**
 * Groups the paths by their first name, and removes that name. Drops paths that begin otherwise.
 */
function tailsBy(paths: Paths): Map<string, { name: string; paths: Paths }> {
  const named = Map.groupBy(paths, ([step]) => step);
  return new Map(
    [...named].flatMap(([name, own]) =>
      typeof name === 'string'
        ? [[name, { name, paths: own.map((path) => path.slice(1)) }] as const]
        : [],
    ),
  );
}
