import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { IdPrefix } from '../core/ids.ts';
import { parseDuration } from '../core/text/duration.ts';
import { parseTimestamp } from '../core/text/time.ts';
import { usageError } from './command-error.ts';

/**
 * Parsers of arguments and option values. For their errors, commander prints the flag and the bad
 * value first, and exits with 2.
 */

/** The first and the last instant that ISO 8601 writes with a four-digit year. */
const FIRST_MS = Date.parse('0000-01-01T00:00:00.000Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** Parses a server's URL. Removes trailing slashes. */
export function serverUrl(value: string): string {
  const url = URL.parse(value.trim());
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url && isHttp && !url.username && !url.password && !url.search && !url.hash) {
    return url.href.replace(/\/+$/, '');
  }
  throw new InvalidArgumentError("Expected the server's URL, such as http://127.0.0.1:8484.");
}

/**
 * Refuses text without the form of an id, because `..` in a DELETE's path names another resource.
 */
export function idOf(prefix: IdPrefix, kind: string): (value: string) => string {
  return (value) => {
    const [first, ...rest] = value.split('_');
    if (first === prefix && /^[A-Za-z0-9]{4,64}$/.test(rest.join('_'))) return value;
    throw new InvalidArgumentError(`Expected the id of ${kind}, such as ${prefix}_01kxyz.`);
  };
}

export const eventId = idOf('evt', 'an event');

/** Returns a parser that collects the values of a repeatable argument or option. */
export function repeated(parse: (value: string) => string = String) {
  return (value: string, previous: string[] = []): string[] => [...previous, parse(value)];
}

/** Parses ISO 8601, or a duration before now. Returns ISO 8601. */
export function instant(value: string): string {
  const text = value.trim();
  const ago = parseDuration(text);
  const ms = ago === null ? parseTimestamp(text) : Date.now() - ago;
  if (ms !== null && ms >= FIRST_MS && ms <= LAST_MS) return new Date(ms).toISOString();
  throw new InvalidArgumentError(
    'Expected a time such as 2026-01-31T12:00:00Z, or 10m for ten minutes ago.',
  );
}

/** Checks the form of a duration such as `30d`. The server checks its range. */
export function duration(value: string): string {
  const text = value.trim();
  if (parseDuration(text) !== null) return text;
  throw new InvalidArgumentError('Expected a duration such as 12h or 30d.');
}

export function httpMethod(value: string): string {
  if (/^[A-Za-z-]{1,32}$/.test(value)) return value.toUpperCase();
  throw new InvalidArgumentError('Expected an HTTP method such as POST.');
}

export function wholeNumber(min: number, max: number): (value: string) => number {
  return (value) => {
    const number = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max}.`);
  };
}

/** Refuses empty text, because the API ignores an empty filter and would find everything. */
export function someText(value: string): string {
  if (value !== '') return value;
  throw new InvalidArgumentError('Expected some text.');
}

export const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * Splits `name: value`. The error doesn't quote the text, because text without a name may be a
 * secret.
 *
 * @param where names the flag or the line in the error
 */
export function headerIn(text: string, where: string): [name: string, value: string] {
  const colon = text.indexOf(':');
  const name = text.slice(0, colon).trim();
  if (colon > 0 && HEADER_NAME.test(name)) return [name, text.slice(colon + 1).trim()];
  throw usageError(`${where}: expected 'name: value', such as 'authorization: Bearer …'`);
}
