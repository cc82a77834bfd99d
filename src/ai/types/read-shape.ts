import {
  addNumber,
  anyShape,
  countMembers,
  emptyShape,
  fieldsToValues,
  type Shape,
} from './shape.ts';

/** Levels that are described; what lies deeper is any value. */
const MAX_DEPTH = 32;
/** Names that one object's type may have; with more of them it is a map (GitHub's repositories have about 100). */
const MAX_FIELDS = 300;
/** Longer names are data, not names. */
const MAX_NAME_LENGTH = 120;
/** Members of a whole shape, to bound memory; how many are shown is decided later. */
const MAX_MEMBERS = 50_000;

/** What a shape alone doesn't tell, for the comment above the type. */
export interface ShapeNotes {
  /** Integers that a JavaScript number can't hold exactly. */
  hasUnsafeIntegers: boolean;
  /** Numbers past the range of a double: `JSON.parse` makes them Infinity. */
  hasInfinities: boolean;
  /** One object had the same name twice. */
  hasDuplicates: boolean;
  /** Levels were left out below `MAX_DEPTH`. */
  isTooDeep: boolean;
  /** Objects with too many names, or too long ones, became maps. */
  hasMaps: boolean;
}

/** A container that is being read. */
interface Frame {
  shape: Shape;
  isArray: boolean;
  /** Names this object had so far; null in an array. */
  names: Set<string> | null;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);
const NUMBER = /-?\d+(\.\d+)?([eE][+-]?\d+)?/y;

/**
 * The shape of a JSON text in one pass, without recursion and without a value
 * ever being made: the text tells `1` from `1.0` and from what a double can't hold.
 *
 * The text must be valid JSON: what `JSON.parse` refuses, this misreads.
 */
export function readShape(json: string): { shape: Shape; notes: ShapeNotes } {
  const notes: ShapeNotes = {
    hasUnsafeIntegers: false,
    hasInfinities: false,
    hasDuplicates: false,
    isTooDeep: false,
    hasMaps: false,
  };
  const root = emptyShape();
  const open: Frame[] = [];
  let members = 0;
  /** Where the next value goes. */
  let target = root;
  let at = 0;

  const toMap = (shape: Shape): void => {
    const before = countMembers(shape);
    fieldsToValues(shape);
    members += countMembers(shape) - before;
    notes.hasMaps = true;
  };

  /** The shape that a member's value belongs to. */
  const member = (frame: Frame, name: string): Shape => {
    const { shape } = frame;
    const isRepeated = frame.names?.has(name) ?? false;
    if (isRepeated) notes.hasDuplicates = true;
    else frame.names?.add(name);
    if (shape.values) return shape.values;
    const known = shape.fields.get(name);
    if (known) {
      if (!isRepeated) known.seen++;
      return known.shape;
    }
    if (
      shape.fields.size >= MAX_FIELDS ||
      name.length > MAX_NAME_LENGTH ||
      members >= MAX_MEMBERS
    ) {
      toMap(shape);
      if (members >= MAX_MEMBERS) shape.values = anyShape();
      return shape.values as unknown as Shape;
    }
    members++;
    const field = { shape: emptyShape(), seen: 1 };
    shape.fields.set(name, field);
    return field.shape;
  };

  while (at < json.length) {
    const code = json.charCodeAt(at);
    switch (code) {
      case 0x7b: // {
      case 0x5b: {
        // [
        if (open.length >= MAX_DEPTH) {
          target.isAny = true;
          notes.isTooDeep = true;
          at = endOfContainer(json, at);
          break;
        }
        const isArray = code === 0x5b;
        if (isArray) target.items ??= emptyShape();
        else target.objects++;
        open.push({ shape: target, isArray, names: isArray ? null : new Set() });
        if (isArray) target = target.items as Shape;
        at++;
        break;
      }
      case 0x7d: // }
      case 0x5d: // ]
        open.pop();
        at++;
        break;
      case 0x2c: {
        // , : an array's next item goes where the others went
        const frame = open.at(-1) as Frame;
        if (frame.isArray) target = frame.shape.items as Shape;
        at++;
        break;
      }
      case QUOTE: {
        const end = endOfString(json, at);
        const frame = open.at(-1);
        const next = frame && !frame.isArray ? afterBlanks(json, end) : -1;
        if (frame && next !== -1 && json[next] === ':') {
          target = member(frame, nameIn(json, at, end));
          at = next + 1;
        } else {
          target.isString = true;
          at = end;
        }
        break;
      }
      case 0x74: // true
        target.isBoolean = true;
        at += 4;
        break;
      case 0x66: // false
        target.isBoolean = true;
        at += 5;
        break;
      case 0x6e: // null
        target.isNull = true;
        at += 4;
        break;
      case 0x20:
      case 0x0a:
      case 0x0d:
      case 0x09:
        at++;
        break;
      default:
        at = readNumber(json, at, target, notes);
    }
  }
  return { shape: root, notes };
}

function readNumber(json: string, at: number, shape: Shape, notes: ShapeNotes): number {
  NUMBER.lastIndex = at;
  const match = NUMBER.exec(json);
  if (!match) throw new Error(`not JSON at ${at}`);
  const [text, fraction, exponent] = match;
  const value = Number(text);
  const isWhole = fraction === undefined && exponent === undefined;
  if (!Number.isFinite(value)) notes.hasInfinities = true;
  else if (Number.isInteger(value) && !Number.isSafeInteger(value) && isWhole) {
    notes.hasUnsafeIntegers = true;
  }
  addNumber(shape, isWhole && fitsInt64(text, value) ? 'integer' : 'double');
  return at + text.length;
}

function fitsInt64(digits: string, value: number): boolean {
  if (Number.isSafeInteger(value)) return true;
  if (digits.length > 20) return false;
  const exact = BigInt(digits);
  return exact >= INT64_MIN && exact <= INT64_MAX;
}

/** The place after the string that begins at `start`. */
function endOfString(json: string, start: number): number {
  let end = start;
  for (;;) {
    end = json.indexOf('"', end + 1);
    if (end === -1) throw new Error('an unterminated string');
    let slashes = 0;
    while (json.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end + 1;
  }
}

/** The place after the object or array that begins at `start`. */
function endOfContainer(json: string, start: number): number {
  let depth = 0;
  for (let at = start; at < json.length; ) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(json, at);
      continue;
    }
    at++;
    if (code === 0x7b || code === 0x5b) depth++;
    else if ((code === 0x7d || code === 0x5d) && --depth === 0) return at;
  }
  throw new Error('an unterminated container');
}

function afterBlanks(json: string, from: number): number {
  let at = from;
  for (;;) {
    const code = json.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at++;
  }
}

function nameIn(json: string, start: number, end: number): string {
  const raw = json.slice(start + 1, end - 1);
  return raw.includes('\\') ? (JSON.parse(json.slice(start, end)) as string) : raw;
}
