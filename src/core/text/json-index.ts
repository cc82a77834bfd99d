/**
 * The place of each value in a JSON text. Typed arrays pass between threads without a copy. A
 * million values take only some megabytes.
 *
 * Values are numbered in the order of the text. So a container's contents have the numbers after
 * its own, up to its `next`.
 */
export interface JsonIndex {
  /** The number of values in the text. */
  length: number;
  /** The offset of each value's first character. */
  start: Uint32Array<ArrayBuffer>;
  /** The offset after each value's last character. */
  end: Uint32Array<ArrayBuffer>;
  /** The offset of the quote that begins the value's name. `NO_KEY` without a name. */
  key: Uint32Array<ArrayBuffer>;
  /** The number of the first later value outside of this value. */
  next: Uint32Array<ArrayBuffer>;
  /** The number of the value's container. `NO_PARENT` at the top level. */
  parent: Uint32Array<ArrayBuffer>;
  /** The number of members of an object or elements of an array. 0 for other values. */
  members: Uint32Array<ArrayBuffer>;
  /** The number of documents in the text. NDJSON may have several. */
  roots: number;
  /**
   * True if the index covers only the beginning of the text. Containers that are still open then
   * end at that point.
   */
  isPartial: boolean;
}

export const NO_KEY = 0xffffffff;
export const NO_PARENT = 0xffffffff;

/** The largest number of values of an index. For larger texts, the page draws no tree. */
const MOST_VALUES = 6_000_000;
/** The initial size of the arrays, values. */
const FIRST_ROOM = 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERAL = /true|false|null/y;

interface IndexOptions {
  /** True if the text may have several documents, as NDJSON has. */
  isMany?: boolean;
  /** Stops at about this offset. */
  until?: number;
}

/**
 * Indexes a JSON text. Returns null if the text is malformed or has too many values.
 *
 * Doesn't recurse, because a sender may nest a million levels.
 */
export function indexJson(text: string, options: IndexOptions = {}): JsonIndex | null {
  const { isMany = false, until = text.length } = options;
  let room = FIRST_ROOM;
  let start = new Uint32Array(room);
  let end = new Uint32Array(room);
  let key = new Uint32Array(room);
  let next = new Uint32Array(room);
  let parent = new Uint32Array(room);
  let members = new Uint32Array(room);
  const grow = () => {
    room *= 2;
    const grown = ({ buffer }: Uint32Array<ArrayBuffer>) =>
      new Uint32Array(buffer.transfer(room * Uint32Array.BYTES_PER_ELEMENT));
    [start, end, key] = [grown(start), grown(end), grown(key)];
    [next, parent, members] = [grown(next), grown(parent), grown(members)];
  };

  let at = 0;
  let length = 0;
  let roots = 0;
  /** The innermost open container. */
  let open = NO_PARENT;
  let name = NO_KEY;

  const skipBlanks = () => {
    for (;;) {
      const code = text.charCodeAt(at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code;
      at++;
    }
  };
  /** Moves `at` behind a string. Returns false if the string doesn't end. */
  const skipString = (): boolean => {
    at = endOfString(text, at);
    return at !== 0;
  };
  /** Moves `at` behind a name and its colon. Returns false if they are malformed. */
  const takeName = (): boolean => {
    if (skipBlanks() !== QUOTE) return false;
    name = at;
    if (!skipString() || skipBlanks() !== COLON) return false;
    at++;
    return true;
  };
  const result = (isPartial: boolean): JsonIndex => {
    for (let node = open; node !== NO_PARENT; node = parent[node] as number) {
      next[node] = length;
      end[node] = at;
    }
    const cut = (array: Uint32Array<ArrayBuffer>) => array.slice(0, length);
    return {
      ...{ length, start: cut(start), end: cut(end), key: cut(key), next: cut(next) },
      ...{ parent: cut(parent), members: cut(members), roots, isPartial },
    };
  };

  for (;;) {
    // A value begins.
    const code = skipBlanks();
    if (at >= until && at < text.length) return result(true);
    if (length === MOST_VALUES) return null;
    if (length === room) grow();
    const node = length++;
    start[node] = at;
    key[node] = name;
    parent[node] = open;
    if (open === NO_PARENT) roots++;
    else (members[open] as number)++;
    if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      at++;
      open = node;
      name = NO_KEY;
      const first = skipBlanks();
      if (first !== (code === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY)) {
        if (code === OPEN_OBJECT && !takeName()) return null;
        continue;
      }
    } else {
      if (code === QUOTE) {
        if (!skipString()) return null;
      } else {
        const pattern = code === 0x74 || code === 0x66 || code === 0x6e ? LITERAL : NUMBER;
        pattern.lastIndex = at;
        if (!pattern.test(text)) return null;
        at = pattern.lastIndex;
      }
      end[node] = at;
      next[node] = length;
    }
    // After a value, its container continues or ends.
    for (;;) {
      const after = skipBlanks();
      if (open === NO_PARENT) {
        if (at >= text.length) return result(false);
        if (!isMany) return null;
        name = NO_KEY;
        break;
      }
      at++;
      const isObject = text.charCodeAt(start[open] as number) === OPEN_OBJECT;
      if (after === COMMA) {
        name = NO_KEY;
        if (isObject && !takeName()) return null;
        break;
      }
      if (after !== (isObject ? CLOSE_OBJECT : CLOSE_ARRAY)) return null;
      end[open] = at;
      next[open] = length;
      open = parent[open] as number;
    }
  }
}

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'literal';

export function kindOf(text: string, { start }: JsonIndex, node: number): JsonKind {
  switch (text.charCodeAt(start[node] as number)) {
    case OPEN_OBJECT:
      return 'object';
    case OPEN_ARRAY:
      return 'array';
    case QUOTE:
      return 'string';
    case 0x74:
    case 0x66:
    case 0x6e:
      return 'literal';
    default:
      return 'number';
  }
}

/** Returns a value's name as written, with quotes and escapes. Null for an array's element. */
export function nameOf(text: string, { key }: JsonIndex, node: number): string | null {
  const from = key[node] as number;
  return from === NO_KEY ? null : text.slice(from, endOfString(text, from));
}

/** Returns the offset after the string at `from`. 0 if the string doesn't end. */
function endOfString(text: string, from: number): number {
  let quote = from;
  for (;;) {
    quote = text.indexOf('"', quote + 1);
    if (quote === -1) return 0;
    let before = quote - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    if ((quote - before) % 2 === 1) return quote + 1;
  }
}

export const writtenOf = (text: string, { start, end }: JsonIndex, node: number): string =>
  text.slice(start[node], end[node]);

/** Returns the innermost value at an offset. The offset may be in the value's name. */
export function nodeAt({ start, end, key, parent, length }: JsonIndex, offset: number): number {
  const begin = (node: number) => Math.min(start[node] as number, key[node] as number);
  let low = 0;
  let high = length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (begin(middle) <= offset) low = middle;
    else high = middle - 1;
  }
  let node = low;
  while (offset >= (end[node] as number) && (parent[node] as number) !== NO_PARENT) {
    node = parent[node] as number;
  }
  return node;
}
