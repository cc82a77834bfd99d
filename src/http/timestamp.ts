import * as v from 'valibot';

const ISO_8601 =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?\s?([Zz]|[+-]?\d{2}(?::?\d{2})?)?)?$/;

/**
 * Unix milliseconds of an ISO 8601 timestamp, fractions floored; null when it
 * isn't one. A date alone is its midnight, a time without a zone is UTC. In a
 * query, a `+` that wasn't encoded arrives as a blank: a blank before the offset
 * stands for it.
 */
export function parseTimestamp(text: string): number | null {
  const match = ISO_8601.exec(text);
  if (!match) return null;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone] = match;
  const parts = [year, month, day, hour, minute, second].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const [y, mo, d, h, mi, s] = parts;
  if (h > 24 || mi > 59 || s > 60 || (h === 24 && mi + s > 0)) return null;
  const date = new Date(0);
  date.setUTCFullYear(y, mo - 1, d);
  if (date.getUTCMonth() !== mo - 1 || date.getUTCDate() !== d) return null;
  const ms = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const offset = offsetMinutes(zone);
  if (offset === null) return null;
  return date.getTime() + ((h * 60 + mi - offset) * 60 + s) * 1000 + ms;
}

function offsetMinutes(zone: string | undefined): number | null {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0;
  const sign = zone.startsWith('-') ? -1 : 1;
  const digits = zone.replace(/[+:-]/g, '');
  const hours = Number(digits.slice(0, 2));
  const minutes = Number(digits.slice(2) || '0');
  return hours > 23 || minutes > 59 ? null : sign * (hours * 60 + minutes);
}

/** An ISO 8601 timestamp of an input, as Unix milliseconds. */
export const timestampSchema = v.pipe(
  v.string('must be a string'),
  v.metadata({
    description: 'ISO 8601; a date alone is its midnight, a time without a zone is UTC.',
    examples: ['2026-01-31T12:00:00.000Z'],
  }),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const ms = parseTimestamp(dataset.value);
    if (ms !== null) return ms;
    addIssue({ message: 'must be an ISO 8601 timestamp, such as 2026-01-31T12:00:00Z' });
    return NEVER;
  }),
);
