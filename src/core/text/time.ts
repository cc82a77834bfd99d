/** An existing date: in months of 31, 30 and 28 days, or 29 February of a leap year. */
const DATE =
  '(?:\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])' +
  '|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))' +
  '|(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)';
/** A time of day, including leap seconds and 24:00. */
const TIME =
  '(?:(?:[01]\\d|2[0-3]):[0-5]\\d(?::(?:[0-5]\\d|60)(?:[.,]\\d+)?)?|24:00(?::00(?:[.,]\\d+)?)?)';
const OFFSET = '(?:[01]\\d|2[0-3])(?::?[0-5]\\d)?';
export const ISO_8601 = new RegExp(
  `^${DATE}(?:[Tt ]${TIME}(?: ?[Zz]| ?[+\\-]${OFFSET}| ${OFFSET})?)?$`,
);
const PARTS = /^(\d{4})-(\d{2})-(\d{2})(?:.(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?(.*))?$/;

/**
 * Reads an ISO 8601 timestamp to Unix milliseconds, rounded down. Returns null for any other text.
 * A date alone means its midnight. A time without a zone is UTC. A space before the offset means
 * `+`, because an unencoded `+` in a query arrives as a space.
 */
export function parseTimestamp(text: string): number | null {
  const match = ISO_8601.test(text) && PARTS.exec(text);
  if (!match) return null;
  const [, year, month, day, hour = 0, minute = 0, second = 0, fraction = '', zone = ''] = match;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const minutes = Number(hour) * 60 + Number(minute) - offsetMinutes(zone.trim());
  const ms = Number(fraction.slice(0, 3).padEnd(3, '0'));
  return date.getTime() + (minutes * 60 + Number(second)) * 1000 + ms;
}

function offsetMinutes(zone: string): number {
  if (zone === '' || zone.toUpperCase() === 'Z') return 0;
  const sign = zone.startsWith('-') ? -1 : 1;
  const digits = zone.replace(/[+:-]/g, '');
  return sign * (Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2)));
}

/** Writes a time: `2026-01-31 12:00:00 UTC`. Returns null for an invalid time. */
export function formatTime(ms: number): string | null {
  if (!(Math.abs(ms) <= 8.64e15)) return null;
  const iso = new Date(ms).toISOString();
  return `${iso.slice(0, -14)} ${iso.slice(-13, -5)} UTC`;
}

const ISO_TIME =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:[.,]\d{1,9})? ?(Z|UTC|GMT|[+-]\d\d:?\d\d)?)?$/;

/**
 * Writes an ISO 8601 text as a time in UTC. A date alone stays a date. A time without a zone stays
 * without a zone. Returns null for any other text.
 */
export function formatIsoTime(text: string): string | null {
  const [, date, time, zone] = ISO_TIME.exec(text.trim()) ?? [];
  if (date === undefined || Number.isNaN(Date.parse(date))) return null;
  if (time === undefined) return date;
  return zone === undefined ? `${date} ${time}` : formatTime(Date.parse(text));
}
