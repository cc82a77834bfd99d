import { resolve } from 'node:path';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { parseDuration } from '../core/text/duration.ts';
import { parseSize } from '../core/text/size.ts';

/** Parses the text of a flag or a variable. Throws commander's error. */
export type Parse<T> = (text: string) => T;

const MAX_RETENTION_MS = 100 * 365 * 86_400_000;

/** Returns an error. commander puts the flag or variable and the bad value before the message. */
export function expected(what: string): InvalidArgumentError {
  return new InvalidArgumentError(`Expected ${what}.`);
}

export function text(value: string): string {
  const trimmed = value.trim();
  if (trimmed === '') throw expected('a value');
  return trimmed;
}

export function path(value: string): string {
  if (value === '') throw expected('a path');
  return resolve(value);
}

export function boolean(value: string): boolean {
  const lower = value.trim().toLowerCase();
  if (lower === '1' || lower === 'true') return true;
  if (lower === '0' || lower === 'false') return false;
  throw expected('1, true, 0 or false');
}

export function oneOf<const T extends string>(...values: T[]): Parse<T> {
  return (value) => {
    const found = values.find((one) => one === value.trim());
    if (found === undefined)
      throw expected(`${values.slice(0, -1).join(', ')} or ${values.at(-1)}`);
    return found;
  };
}

export function wholeNumber(min: number, max: number): Parse<number> {
  return numeric(/^\d{1,9}$/, `a whole number from ${min} to ${max}`, min, max);
}

export function decimal(min: number, max: number): Parse<number> {
  return numeric(/^\d+(\.\d+)?$/, `a number from ${min} to ${max}`, min, max);
}

function numeric(form: RegExp, what: string, min: number, max: number): Parse<number> {
  return (value) => {
    const number = form.test(value.trim()) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw expected(what);
  };
}

export function duration(maxMs: number, shownMax: string): Parse<number> {
  return (value) => {
    const ms = parseDuration(value);
    if (ms === null || ms < 1 || ms > maxMs) {
      throw expected(`a duration such as 500ms, 5s, 10m or 24h, at most ${shownMax}`);
    }
    return ms;
  };
}

export function zeroOr(parse: Parse<number>): Parse<number> {
  return (value) => (value.trim() === '0' || parseDuration(value) === 0 ? 0 : parse(value));
}

/**
 * Returns the word `keep` unchanged, because commander would turn null into an empty string.
 * `resolveConfig` converts the word to null.
 */
export function retention(value: string): number | 'keep' {
  if (value.trim().toLowerCase() === 'keep') return 'keep';
  const ms = parseDuration(value);
  if (ms !== null && ms >= 1 && ms <= MAX_RETENTION_MS) return ms;
  throw expected('a duration such as 12h or 30d, or keep');
}

export function size(maxBytes: number): Parse<number> {
  return (value) => {
    const bytes = parseSize(value);
    if (bytes === null || bytes < 1 || bytes > maxBytes) {
      throw expected(`a size such as 26214400, 512kb or 25mb, at most ${maxBytes / 1024 ** 2}mb`);
    }
    return bytes;
  };
}
