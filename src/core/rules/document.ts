import { ExactNumber, numberOf } from './exact-number.ts';

/** A JSON value whose numbers are exact. */
export type Value = Scalar | Value[] | { [name: string]: Value };

export type Scalar = null | boolean | string | number | ExactNumber;

/**
 * Matches each text with a number that a double can't hold. It may match other texts too, because
 * it also looks inside strings. `markNumbers` skips those.
 */
const SUSPECT = /(?:^|[[:,\s])-?\d(?:[\d.]{15}|[\d.]*[eE])/;
const NUMBERS = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/**
 * Marks long numbers, so that `JSON.parse` keeps them as strings. No sender can guess this mark.
 */
const MARK = `${crypto.randomUUID()} `;

/**
 * Parses JSON without rounding numbers. A text without long numbers costs one `JSON.parse`.
 *
 * Throws `SyntaxError`.
 */
export function parseDocument(text: string): Value {
  const rounded = JSON.parse(text) as Value;
  if (!SUSPECT.test(text)) return rounded;
  const marked = markNumbers(text);
  return marked === null ? rounded : unmark(JSON.parse(marked) as Value);
}

export function writeDocument(value: Value): string {
  return JSON.stringify(value);
}

export function isScalar(value: Value): value is Scalar {
  return value === null || typeof value !== 'object' || value instanceof ExactNumber;
}

export function isNumber(value: Value | undefined): value is number | ExactNumber {
  return typeof value === 'number' || value instanceof ExactNumber;
}

/**
 * Returns the text with its long numbers marked. Null if it has none.
 *
 * @param text valid JSON
 */
function markNumbers(text: string): string | null {
  const parts: string[] = [];
  let isMarked = false;
  let at = 0;
  while (at < text.length) {
    const quote = text.indexOf('"', at);
    const end = quote < 0 ? text.length : quote;
    parts.push(
      text.slice(at, end).replace(NUMBERS, (token) => {
        if (typeof numberOf(token) === 'number') return token;
        isMarked = true;
        return `"${MARK}${token}"`;
      }),
    );
    if (quote < 0) break;
    at = endOfString(text, quote);
    parts.push(text.slice(quote, at));
  }
  return isMarked ? parts.join('') : null;
}

/**
 * Returns where the string that begins at `quote` ends. If it isn't closed, returns the end of the
 * text.
 */
export function endOfString(text: string, quote: number): number {
  for (let end = text.indexOf('"', quote + 1); ; end = text.indexOf('"', end + 1)) {
    if (end < 0) return text.length;
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
}

/**
 * Replaces marked strings by numbers. It doesn't recurse, because a body may be nested a million
 * levels deep.
 */
function unmark(document: Value): Value {
  const top: [Value] = [document];
  const open: (Value[] | { [name: string]: Value })[] = [top];
  for (let container = open.pop(); container; container = open.pop()) {
    for (const name of Object.keys(container)) {
      const value = (container as Record<string, Value>)[name] as Value;
      if (typeof value === 'string' && value.startsWith(MARK)) {
        const number = new ExactNumber(value.slice(MARK.length));
        Object.defineProperty(container, name, { value: number, enumerable: true });
      } else if (!isScalar(value)) open.push(value);
    }
  }
  return top[0];
}

/** Returns the type of a value, as messages name it. */
export function typeName(value: Value | undefined): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (isNumber(value)) return 'a number';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'string' ? 'text' : 'true or false';
}
