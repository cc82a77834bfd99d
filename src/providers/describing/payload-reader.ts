import { formatIsoTime, formatTime } from '../../core/text/time.ts';
import { clean, counted, quoted } from '../../core/text/words.ts';
import { memberAt } from '../member-at.ts';

/** Larger numbers are milliseconds. In seconds, this number is the year 5138. */
const MAX_UNIX_SECONDS = 1e11;

/**
 * Reads a payload of unknown content. Returns null or an empty value for a missing member or
 * another kind of value, so describers need no checks. Reads only own properties, so `constructor`
 * leads to nothing.
 */
export class PayloadReader {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }

  /** @param path names and indexes between dots; empty for the payload itself */
  at(path: string): PayloadReader {
    return path === '' ? this : new PayloadReader(memberAt(this.value, ...path.split('.')));
  }

  /**
   * Returns a string, number or boolean as text on one line. Returns null for any other value and
   * for an empty string.
   */
  text(path: string, max?: number): string | null {
    const { value } = this.at(path);
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
      return null;
    }
    return clean(String(value), max) || null;
  }

  /** Returns the first text at these paths. */
  first(...paths: string[]): string | null {
    for (const path of paths) {
      const text = this.text(path);
      if (text !== null) return text;
    }
    return null;
  }

  quote(path: string, max?: number): string | null {
    const { value } = this.at(path);
    return typeof value === 'string' && clean(value) !== '' ? quoted(value, max) : null;
  }

  /** Returns a number, even if the payload has it as a string. */
  number(path: string): number | null {
    const { value } = this.at(path);
    if (typeof value === 'string' && value.trim() === '') return null;
    const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : null;
    return number !== null && Number.isFinite(number) ? number : null;
  }

  /** Returns a number with its noun: `1 file`, `1,234 files`. */
  counted(path: string, noun: string): string | null {
    const number = this.number(path);
    return Number.isSafeInteger(number) && Number(number) >= 0
      ? counted(Number(number), noun)
      : null;
  }

  /**
   * Returns a time as text. Accepts Unix seconds, Unix milliseconds, and ISO 8601 dates and times.
   */
  time(path: string): string | null {
    const { value } = this.at(path);
    if (typeof value === 'number')
      return formatTime(value > MAX_UNIX_SECONDS ? value : value * 1000);
    return typeof value === 'string' ? formatIsoTime(value) : null;
  }

  is(path: string, value: unknown): boolean {
    return this.at(path).value === value;
  }

  has(path: string): boolean {
    const { value } = this.at(path);
    return value !== undefined && value !== null;
  }

  /** Returns the first `max` items of an array. */
  items(path: string, max = 20): PayloadReader[] {
    const { value } = this.at(path);
    return Array.isArray(value) ? value.slice(0, max).map((item) => new PayloadReader(item)) : [];
  }

  /** Returns the length of an array, or 0 for any other value. */
  count(path: string): number {
    const { value } = this.at(path);
    return Array.isArray(value) ? value.length : 0;
  }
}
