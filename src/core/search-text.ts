/**
 * What `q` is matched against. A body matches when the query's bytes are in it
 * as received, or when the query is in the body with its JSON escapes decoded,
 * so that `\u00e9` is found by `é` and `http:\/\/` by `http://`. Literal and
 * case-sensitive.
 *
 * Index and verification both come from here: if they disagreed, an event could
 * be stored and never found.
 */

const BACKSLASH = 0x5c;
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))/g;
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

/** The body as text: well-formed, bytes that aren't UTF-8 as U+FFFD. */
export function receivedText(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
}

/**
 * The body with its JSON escapes decoded, or null when that changes nothing:
 * no backslash in it, or it doesn't begin as JSON that can hold strings.
 */
export function decodedText(body: Uint8Array): string | null {
  if (!body.includes(BACKSLASH) || !beginsLikeJson(body)) return null;
  return receivedText(body)
    .replace(ESCAPE, (_, hex: string | undefined, single: string | undefined) =>
      hex === undefined
        ? (SINGLE[single as string] as string)
        : String.fromCharCode(Number.parseInt(hex, 16)),
    )
    .toWellFormed();
}

/** Whether the decoded body holds `q`; the body as received is compared by its bytes. */
export function decodedIncludes(body: Uint8Array, q: string): boolean {
  return decodedText(body)?.includes(q) ?? false;
}

function beginsLikeJson(body: Uint8Array): boolean {
  for (const byte of body) {
    if (byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d) continue;
    return byte === 0x7b || byte === 0x5b || byte === 0x22; // { [ "
  }
  return false;
}
