import { isForm } from '../../../core/http/is-form.ts';

/**
 * Defines which text of a body `q` must match. A body matches if it contains the query's bytes,
 * either as received or with its JSON escapes decoded: `é` finds `\u00e9`, and `http://` finds
 * `http:\/\/`. The match is literal, case-sensitive and byte for byte. An invalid byte matches
 * nothing.
 *
 * A rule also reads a form's fields without their percent-encoding. So a search by a rule also
 * tests the texts of `otherReadings`. The index holds these texts too.
 *
 * The index and the check of each match both use this file. If they disagreed, searches could miss
 * stored events.
 */

const BACKSLASH = 0x5c;
const PERCENT = 0x25;
const PLUS = 0x2b;
const PERCENT_ENCODED = /\+|%[0-9a-fA-F]{2}/g;
/**
 * Escapes in a body that is read as latin1. A run of \u escapes is one match, because a surrogate
 * pair needs two.
 */
const ESCAPES = /(?:\\u[0-9a-fA-F]{4})+|\\["\\/bfnrt]/g;
const SINGLE: Record<string, string> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
/** What replaces an escaped lone surrogate. No query contains this byte. */
const NO_CHARACTER = '\xff';

/**
 * Returns the body with its JSON escapes decoded to UTF-8. Returns null if the body has no
 * backslash, or doesn't begin like JSON that can hold strings.
 */
export function decodedBytes(body: Uint8Array): Buffer | null {
  if (!body.includes(BACKSLASH) || !beginsLikeJson(body)) return null;
  const decoded = view(body).toString('latin1').replace(ESCAPES, decode);
  return Buffer.from(decoded, 'latin1');
}

/**
 * Returns what a body may say besides its bytes as received:
 *
 * - with its JSON escapes decoded
 * - for a form: without its percent-encoding
 * - for a form: without its percent-encoding, and with the escapes of its JSON decoded
 */
export function otherReadings(body: Uint8Array, contentType: string | null): Buffer[] {
  const decoded = decodedBytes(body);
  const readings = decoded === null ? [] : [decoded];
  if (!isForm(contentType)) return readings;
  const received = view(body).toString('latin1');
  const form = received.replace(PERCENT_ENCODED, (encoded) =>
    encoded === '+' ? ' ' : String.fromCharCode(Number.parseInt(encoded.slice(1), 16)),
  );
  if (form !== received) readings.push(Buffer.from(form, 'latin1'));
  const inner = form.replace(ESCAPES, decode);
  if (inner !== form) readings.push(Buffer.from(inner, 'latin1'));
  return readings;
}

/**
 * Returns whether a body may read differently as a form. Otherwise its content type doesn't matter.
 */
export function mayBeEncoded(body: Uint8Array): boolean {
  return body.includes(PERCENT) || body.includes(PLUS) || body.includes(BACKSLASH);
}

/** Returns whether the decoded body contains `q`. Doesn't search the body as received. */
export function decodedIncludes(body: Uint8Array, q: string): boolean {
  return decodedBytes(body)?.includes(q, 0, 'utf8') ?? false;
}

/** Decodes one match of `ESCAPES` to UTF-8 bytes, as latin1. */
function decode(escaped: string): string {
  if (escaped[1] !== 'u') return SINGLE[escaped[1] as string] as string;
  const units: number[] = [];
  for (let i = 2; i < escaped.length; i += 6) {
    units.push(Number.parseInt(escaped.slice(i, i + 4), 16));
  }
  return [...String.fromCharCode(...units)]
    .map((point) => (point.isWellFormed() ? Buffer.from(point).toString('latin1') : NO_CHARACTER))
    .join('');
}

function view(body: Uint8Array): Buffer {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}

function beginsLikeJson(body: Uint8Array): boolean {
  for (const byte of hasByteOrderMark(body) ? body.subarray(3) : body) {
    if (byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d) continue;
    return byte === 0x7b || byte === 0x5b || byte === 0x22; // { [ "
  }
  return false;
}

function hasByteOrderMark(body: Uint8Array): boolean {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
}
