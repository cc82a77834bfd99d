/** Thrown if a text isn't JSON. */
export class NotJson extends Error {
  override readonly name = 'NotJson';
}

const TAB = 0x09;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const PLUS = 0x2b;
export const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
export const COLON = 0x3a;
export const ARRAY = 0x5b;
export const BACKSLASH = 0x5c;
export const ARRAY_END = 0x5d;
export const OBJECT = 0x7b;
export const OBJECT_END = 0x7d;
const SMALL_U = 0x75;

/** The characters that may follow a backslash, except `u`, which needs four digits. */
const ESCAPED = new Set(Buffer.from('"\\/bfnrt'));
const LITERALS = ['true', 'false', 'null'].map((text) => Buffer.from(text));

/** Returns where the blanks at `at` end. */
export function spaceEnd(bytes: Buffer, at: number): number {
  let end = at;
  for (;;) {
    const byte = bytes[end];
    if (byte !== SPACE && byte !== LINE_FEED && byte !== RETURN && byte !== TAB) return end;
    end++;
  }
}

/**
 * Returns where the JSON value at `at` ends. Accepts what `JSON.parse` accepts. Builds no values,
 * so its memory doesn't depend on their number. Throws `NotJson`.
 *
 * @param bytes UTF-8
 */
export function jsonEnd(bytes: Buffer, at: number): number {
  // A body may be nested a million deep. So this loop doesn't recurse. Each level costs one
  // byte.
  let isObject = new Uint8Array(64);
  let depth = 0;
  let end = at;
  for (;;) {
    end = spaceEnd(bytes, end);
    const first = bytes[end];
    if (first === OBJECT || first === ARRAY) {
      if (depth === isObject.length) isObject = grown(isObject);
      isObject[depth++] = Number(first === OBJECT);
      const inside = spaceEnd(bytes, end + 1);
      if (bytes[inside] !== closing(first === OBJECT)) {
        end = first === OBJECT ? nameEnd(bytes, inside) : inside;
        continue;
      }
      depth--;
      end = inside + 1;
    } else end = scalarEnd(bytes, end);
    for (;;) {
      if (depth === 0) return end;
      end = spaceEnd(bytes, end);
      const isMember = isObject[depth - 1] === 1;
      const next = bytes[end++];
      if (next === COMMA) {
        if (isMember) end = nameEnd(bytes, spaceEnd(bytes, end));
        break;
      }
      if (next !== closing(isMember)) throw new NotJson();
      depth--;
    }
  }
}

/** Returns where the string at `at` ends. */
export function stringEnd(bytes: Buffer, at: number): number {
  if (bytes[at] !== QUOTE) throw new NotJson();
  let end = at + 1;
  for (;;) {
    const byte = bytes[end++];
    if (byte === QUOTE) return end;
    if (byte === undefined || byte < SPACE) throw new NotJson();
    if (byte !== BACKSLASH) continue;
    const escaped = bytes[end++];
    if (escaped === SMALL_U) {
      for (const last = end + 4; end < last; end++) {
        if (!isHex(bytes[end])) throw new NotJson();
      }
    } else if (escaped === undefined || !ESCAPED.has(escaped)) throw new NotJson();
  }
}

/** Returns where the colon after a member's name ends. The name starts at `at`. */
function nameEnd(bytes: Buffer, at: number): number {
  const colon = spaceEnd(bytes, stringEnd(bytes, at));
  if (bytes[colon] !== COLON) throw new NotJson();
  return colon + 1;
}

function scalarEnd(bytes: Buffer, at: number): number {
  const first = bytes[at];
  if (first === QUOTE) return stringEnd(bytes, at);
  if (first === MINUS || isDigit(first)) return numberEnd(bytes, at);
  for (const literal of LITERALS) {
    const end = at + literal.length;
    if (first === literal[0] && literal.equals(bytes.subarray(at, end))) return end;
  }
  throw new NotJson();
}

function numberEnd(bytes: Buffer, at: number): number {
  let end = bytes[at] === MINUS ? at + 1 : at;
  end = bytes[end] === ZERO ? end + 1 : digitsEnd(bytes, end);
  if (bytes[end] === POINT) end = digitsEnd(bytes, end + 1);
  // The bit 0x20 makes `E` lower-case.
  if (((bytes[end] ?? 0) | 0x20) !== 0x65) return end;
  const sign = bytes[end + 1];
  return digitsEnd(bytes, sign === PLUS || sign === MINUS ? end + 2 : end + 1);
}

function digitsEnd(bytes: Buffer, at: number): number {
  let end = at;
  while (isDigit(bytes[end])) end++;
  if (end === at) throw new NotJson();
  return end;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}

function isHex(byte: number | undefined): boolean {
  if (isDigit(byte)) return true;
  const letter = (byte ?? 0) | 0x20;
  return letter >= 0x61 && letter <= 0x66;
}

function closing(isObject: boolean): number {
  return isObject ? OBJECT_END : ARRAY_END;
}

function grown(levels: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(2 * levels.length);
  larger.set(levels);
  return larger;
}
