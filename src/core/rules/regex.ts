import { RE2JS } from 're2js';

/** How long a regular expression may be, characters. */
const MAX_SOURCE = 1000;
/** How many steps a compiled expression may have, to limit its time. `(a{30}){30}` has 900. */
const MAX_PROGRAM = 1000;

/**
 * Compiles a regular expression. RE2 matches any text in linear time. Returns a `problem` if the
 * source can't be used.
 */
export function compileRegex(source: string): RE2JS | { problem: string } {
  if (source.length > MAX_SOURCE) {
    return { problem: `a regular expression has at most ${MAX_SOURCE} characters` };
  }
  try {
    const regex = RE2JS.compile(source);
    if (regex.programSize() <= MAX_PROGRAM) return regex;
    return { problem: 'this regular expression repeats too much' };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { problem: `not a regular expression in RE2 syntax: ${message}` };
  }
}
