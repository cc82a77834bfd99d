import { FORMAT } from './shape.ts';

/**
 * Formats of strings. Each is narrower than its standard, because every validator of generated
 * schemas must accept its texts (zod, ajv-formats, pydantic, Go's time).
 */

/** RFC 3339 with a `T` and without leap seconds. */
const DATE_TIME =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;
const DATE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const UUID = /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;
/** RFC 3986 without rare parts. Templates such as `/repos{/id}` don't match. */
const URL_TEXT =
  /^https?:\/\/(?:[A-Za-z0-9-]{1,63}\.){0,10}[A-Za-z][A-Za-z0-9-]{0,62}(?::\d{1,4})?(?:[/?](?:[\w\-.~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*)?(?:#(?:[\w\-.~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*)?$/;
const EMAIL =
  /^[A-Za-z0-9_+-]+(\.[A-Za-z0-9_+-]+)*@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,24}$/;
/** The longest text with a format, characters. */
const MAX_LENGTH = 2048;

/** Returns which of the formats in `among` a text has. */
export function formatsOf(text: string, among: number): number {
  if (text.length < 6 || text.length > MAX_LENGTH) return 0;
  let found = 0;
  const first = text.charCodeAt(0);
  const isDigit = first >= 0x30 && first <= 0x39;
  if (isDigit && among & FORMAT.dateTime && isDateTime(text)) found |= FORMAT.dateTime;
  if (isDigit && among & FORMAT.date && isDate(text)) found |= FORMAT.date;
  if (among & FORMAT.uuid && text.length === 36 && UUID.test(text)) found |= FORMAT.uuid;
  if (among & FORMAT.url && first === 0x68 && isUrl(text)) found |= FORMAT.url;
  if (among & FORMAT.email && text.length <= 254 && EMAIL.test(text)) found |= FORMAT.email;
  return found;
}

/** Returns whether a text is a URL without Punycode. A pattern can't check Punycode. */
function isUrl(text: string): boolean {
  return URL_TEXT.test(text) && !text.includes('xn--');
}

function isDateTime(text: string): boolean {
  return DATE_TIME.test(text) && isDate(text.slice(0, 10));
}

/** Returns whether a text is a real date. Year 0 is excluded, because Python has none. */
function isDate(text: string): boolean {
  if (!DATE.test(text) || text.startsWith('0000')) return false;
  const day = Number(text.slice(8));
  return day <= 28 || new Date(`${text}T00:00:00Z`).getUTCDate() === day;
}
