/*
 * What `q` finds, by the design's words alone: "literal and case-sensitive, and matches
 * the body as received or with its JSON escapes decoded". Slow and obvious. The tests
 * compare stores with it.
 */

const JSON_BLANKS = [0x20, 0x09, 0x0a, 0x0d];
const BYTE_ORDER_MARK = Buffer.from('\ufeff');
const JSON_WITH_STRINGS = ['{', '[', '"'];
const SHORT_ESCAPES = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

export function holds(body: Buffer, q: string): boolean {
  return body.includes(Buffer.from(q, 'utf8')) || (decoded(body)?.includes(q) ?? false);
}

/** What `decode` made of each body: one is compared with many queries. */
const decodedBodies = new WeakMap<Buffer, string | null>();

function decoded(body: Buffer): string | null {
  let text = decodedBodies.get(body);
  if (text === undefined) {
    text = decode(body);
    decodedBodies.set(body, text);
  }
  return text;
}

/** The body with its JSON escapes decoded, or null when it isn't JSON that can have any. */
function decode(body: Buffer): string | null {
  const afterMark = body.subarray(0, 3).equals(BYTE_ORDER_MARK) ? body.subarray(3) : body;
  const first = afterMark.find((byte) => !JSON_BLANKS.includes(byte));
  if (first === undefined || !JSON_WITH_STRINGS.includes(String.fromCharCode(first))) return null;
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  let out = '';
  for (let i = 0; i < text.length; ) {
    const next = text.charAt(i + 1);
    const hex = text.slice(i + 2, i + 6);
    const short = SHORT_ESCAPES.get(next);
    if (text.charAt(i) !== '\\') {
      out += text.charAt(i);
      i += 1;
    } else if (short !== undefined) {
      out += short;
      i += 2;
    } else if (next === 'u' && hex.length === 4 && [...hex].every(isHexDigit)) {
      out += String.fromCharCode(Number(`0x${hex}`));
      i += 6;
    } else {
      out += '\\';
      i += 1;
    }
  }
  return out;
}

const isHexDigit = (character: string): boolean => '0123456789abcdefABCDEF'.includes(character);
