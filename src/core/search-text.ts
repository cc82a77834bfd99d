/**
 * What `q` is matched against. A body matches when the query's bytes are in it
 * as received, or when they are in it with its JSON escapes decoded, so that
 * `\u00e9` is found by `é` and `http:\/\/` by `http://`. Literal and
 * case-sensitive, and byte for byte: an invalid byte matches nothing.
 *
 * Index and verification both come from here: if they disagreed, an event could
 * be stored and never found.
 */

const BACKSLASH = 0x5c;
/** Of a body's bytes read as latin1; a run of \u escapes is one, for the sake of surrogate pairs. */
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
/** Stands for an escaped lone surrogate, which is no character that a query could hold. */
const NO_CHARACTER = '\xff';

/**
 * The body with its JSON escapes decoded to UTF-8, or null when that changes
 * nothing: no backslash in it, or it doesn't begin as JSON that can hold strings.
 */
export function decodedBytes(body: Uint8Array): Buffer | null {
  if (!body.includes(BACKSLASH) || !beginsLikeJson(body)) return null;
  const decoded = view(body).toString('latin1').replace(ESCAPES, decode);
  return Buffer.from(decoded, 'latin1');
}

/** Whether the decoded body holds `q`; the body as received is compared by its bytes. */
export function decodedIncludes(body: Uint8Array, q: string): boolean {
  return decodedBytes(body)?.includes(q, 0, 'utf8') ?? false;
}

/** The UTF-8 bytes, as latin1, of what one match of `ESCAPES` stands for. */
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
  for (const byte of body) {
    if (byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d) continue;
    return byte === 0x7b || byte === 0x5b || byte === 0x22; // { [ "
  }
  return false;
}
