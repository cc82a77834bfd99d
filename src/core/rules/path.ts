import { BARE_NAME, nameText } from '../text/rule-spelling.ts';
import { isScalar, type Value } from './document.ts';
import { MAX_STEPS } from './rule-limits.ts';
import { RuleSyntaxError } from './rule-syntax-error.ts';
import type { Work } from './work.ts';

/**
 * One step of a path. A string is the name of a member, a number the index of an element. `EVERY`
 * (`[*]`) stands for every element. `CURRENT` (`[$index]`) is the element at the index that the
 * evaluation has reached in the enclosing array.
 */
export type PathStep = string | number | typeof EVERY | typeof CURRENT;

export const EVERY = Symbol('[*]');
export const CURRENT = Symbol('[$index]');

const INDEX = /\[(?:(\d{1,9})|(\*)|(\$index)|"((?:[^"\\]|\\.)*)"|'([^']*)')\]/y;
const QUOTED = /"(?:[^"\\]|\\.)*"/y;

/**
 * Reads the path that begins at `at`, such as `body.items[0]."a.b"`. Returns its steps and its end.
 * Throws `RuleSyntaxError`.
 */
export function readPath(text: string, at: number): { steps: PathStep[]; end: number } {
  const steps: PathStep[] = [];
  let end = at;
  do {
    if (steps.length > 0) end++;
    const { name, end: after } = readName(text, end);
    steps.push(name);
    end = after;
    for (let index = readIndex(text, end); index; index = readIndex(text, end)) {
      steps.push(index.step);
      end = index.end;
    }
  } while (text[end] === '.');
  if (steps.length > MAX_STEPS) {
    throw new RuleSyntaxError(`a path has at most ${MAX_STEPS} steps`, at);
  }
  return { steps, end };
}

/** Reads a text that is a single path. Throws `RuleSyntaxError`. */
export function parsePath(text: string): PathStep[] {
  const { steps, end } = readPath(text, 0);
  if (end < text.length) throw new RuleSyntaxError('expected the end of the path', end);
  return steps;
}

/** Writes the text that `readPath` reads as these steps. */
export function pathText(steps: readonly PathStep[]): string {
  let text = '';
  for (const step of steps) {
    if (typeof step === 'string') text += `${text === '' ? '' : '.'}${nameText(step)}`;
    else if (typeof step === 'number') text += `[${step}]`;
    else text += step === EVERY ? '[*]' : '[$index]';
  }
  return text;
}

/**
 * Returns the value at a path. `undefined` if a step leads nowhere. For a path with `[*]`, returns
 * one array with the values of all elements.
 *
 * @param indexes for `[$index]`: the current indexes of the enclosing arrays, outermost first
 */
export function valueAt(
  value: Value | undefined,
  steps: readonly PathStep[],
  work: Work,
  indexes: readonly number[] = [],
): Value | undefined {
  let found = value;
  let current = 0;
  for (const [i, step] of steps.entries()) {
    if (found === undefined) return undefined;
    if (step === EVERY) {
      if (!Array.isArray(found)) return undefined;
      const rest = steps.slice(i + 1);
      work.spend(found.length);
      return found.flatMap((element) => valueAt(element, rest, work, indexes) ?? []);
    }
    if (typeof step === 'string') found = memberOf(found, step);
    else {
      const index = step === CURRENT ? (indexes[current++] ?? -1) : step;
      found = Array.isArray(found) ? found[index] : undefined;
    }
  }
  return found;
}

/** Returns an object's own member. `undefined` if there is none, or if the value is no object. */
export function memberOf(value: Value | undefined, name: string): Value | undefined {
  if (value === undefined || isScalar(value) || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function readName(text: string, at: number): { name: string; end: number } {
  QUOTED.lastIndex = at;
  const quoted = QUOTED.exec(text)?.[0];
  if (quoted !== undefined) return { name: parseQuoted(quoted, at), end: at + quoted.length };
  BARE_NAME.lastIndex = at;
  const name = BARE_NAME.exec(text)?.[0];
  if (name === undefined) throw new RuleSyntaxError('a name is missing', at);
  return { name, end: at + name.length };
}

function readIndex(text: string, at: number): { step: PathStep; end: number } | null {
  if (text[at] !== '[') return null;
  INDEX.lastIndex = at;
  const match = INDEX.exec(text);
  if (!match) {
    throw new RuleSyntaxError('expected an index, such as [0] or [*]', at);
  }
  const [all, index, every, current, quoted, single] = match;
  const end = at + all.length;
  if (index !== undefined) return { step: Number(index), end };
  if (every) return { step: EVERY, end };
  if (current) return { step: CURRENT, end };
  return { step: quoted === undefined ? (single ?? '') : parseQuoted(`"${quoted}"`, at), end };
}

export function parseQuoted(text: string, at: number): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    throw new RuleSyntaxError('this quoted text is not a JSON string', at);
  }
}
