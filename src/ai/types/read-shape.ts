import { DISCRIMINATORS, INNER_DISCRIMINATORS, noteKind } from './event-kinds.ts';
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
  /** One object had the same name twice; not looked for in maps. */
  hasDuplicates: boolean;
  /** Levels were left out below `MAX_DEPTH`. */
  isTooDeep: boolean;
  /** Objects with too many names, or too long ones, became maps. */
  hasMaps: boolean;
}

/** Why a text is no JSON. */
export class NotJson extends Error {}

/** A container that is being read. */
interface Frame {
  shape: Shape;
  isArray: boolean;
  /** The number of this object among all of the text; 0 for an array. */
  object: number;
  /** The members that name a kind of event. */
  discriminators: ReadonlySet<string> | null;
}

/** What may come next. A container that was just opened may be closed at once. */
type Expected = 'value' | 'item or ]' | 'name' | 'name or }' | ', or end';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);
const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const HEX4 = /[0-9a-fA-F]{4}/y;

/**
 * The shape of a JSON text, in one pass, without recursion and without a value ever
 * being made: a body of 10 MB can be 300 MB of values. And the text tells `1`
 * from `1.0`, and from what a double can't hold.
 *
 * Throws `NotJson` for what `JSON.parse` refuses, and for nothing else.
 */
export function readShape(json: string): { shape: Shape; notes: ShapeNotes } {
  return new ShapeReader(json).read();
}

class ShapeReader {
  readonly #json: string;
  readonly #notes: ShapeNotes = {
    hasUnsafeIntegers: false,
    hasInfinities: false,
    hasDuplicates: false,
    isTooDeep: false,
    hasMaps: false,
  };
  readonly #root = emptyShape();
  /** Takes what lies too deep: read, for it must be JSON, and forgotten. */
  readonly #abyss = anyShape();
  readonly #open: Frame[] = [];
  /** Where the next value goes, and the name of the last member. */
  #target = this.#root;
  #memberName = '';
  #at = 0;
  #members = 0;
  #objects = 0;

  constructor(json: string) {
    this.#json = json;
  }

  read(): { shape: Shape; notes: ShapeNotes } {
    let expected: Expected = 'value';
    for (;;) {
      this.#skipBlanks();
      if (this.#at === this.#json.length) break;
      expected = this.#step(expected, this.#json.charCodeAt(this.#at));
    }
    if (expected !== ', or end' || this.#open.length > 0) throw this.#notJson();
    return { shape: this.#root, notes: this.#notes };
  }

  #step(expected: Expected, code: number): Expected {
    switch (expected) {
      case 'item or ]':
        return code === 0x5d ? this.#close() : this.#value(code);
      case 'value':
        return this.#value(code);
      case 'name or }':
        return code === 0x7d ? this.#close() : this.#name(code);
      case 'name':
        return this.#name(code);
      case ', or end': {
        const frame = this.#open.at(-1);
        if (!frame) throw this.#notJson();
        if (code === (frame.isArray ? 0x5d : 0x7d)) return this.#close();
        if (code !== 0x2c) throw this.#notJson();
        this.#at++;
        if (!frame.isArray) return 'name';
        // The next item goes where the others went.
        this.#target = frame.shape.items ?? this.#abyss;
        return 'value';
      }
    }
  }

  #value(code: number): Expected {
    const target = this.#target;
    switch (code) {
      case 0x7b: // {
        return this.#openContainer(false);
      case 0x5b: // [
        return this.#openContainer(true);
      case QUOTE:
        this.#string(target);
        return ', or end';
      case 0x74:
        this.#word('true');
        target.isBoolean = true;
        return ', or end';
      case 0x66:
        this.#word('false');
        target.isBoolean = true;
        return ', or end';
      case 0x6e:
        this.#word('null');
        target.isNull = true;
        return ', or end';
      default:
        this.#number();
        return ', or end';
    }
  }

  #openContainer(isArray: boolean): Expected {
    let shape = this.#target;
    if (this.#open.length >= MAX_DEPTH) {
      shape.isAny = true;
      this.#notes.isTooDeep = true;
      shape = this.#abyss;
    } else if (isArray) shape.items ??= emptyShape();
    else shape.objects++;
    const discriminators = this.#discriminators();
    this.#open.push({ shape, isArray, object: isArray ? 0 : ++this.#objects, discriminators });
    if (isArray) this.#target = shape.items ?? this.#abyss;
    this.#at++;
    return isArray ? 'item or ]' : 'name or }';
  }

  /** Of the container that opens now: the payload itself, its items, or an object in one of them. */
  #discriminators(): ReadonlySet<string> | null {
    const parent = this.#open.at(-1);
    if (!parent || (parent.isArray && this.#open.length === 1)) return DISCRIMINATORS;
    const isMember = !parent.isArray && parent.discriminators === DISCRIMINATORS;
    return isMember ? (INNER_DISCRIMINATORS.get(this.#memberName) ?? null) : null;
  }

  #string(target: Shape): void {
    const start = this.#at + 1;
    this.#at = this.#endOfString();
    target.isString = true;
    noteKind(target, this.#json, start, this.#at - 1);
  }

  #close(): Expected {
    this.#open.pop();
    this.#at++;
    return ', or end';
  }

  /** A name with its colon. */
  #name(code: number): Expected {
    if (code !== QUOTE) throw this.#notJson();
    const start = this.#at;
    const end = this.#endOfString();
    this.#at = end;
    this.#skipBlanks();
    if (this.#json[this.#at] !== ':') throw this.#notJson();
    this.#at++;
    const raw = this.#json.slice(start + 1, end - 1);
    const name = raw.includes('\\') ? (JSON.parse(this.#json.slice(start, end)) as string) : raw;
    this.#memberName = name;
    this.#target = this.#member(this.#open.at(-1) as Frame, name);
    return 'value';
  }

  /** The shape that a member's value belongs to. */
  #member({ shape, object, discriminators }: Frame, name: string): Shape {
    if (shape === this.#abyss) return shape;
    if (shape.values) return shape.values;
    const known = shape.fields.get(name);
    if (known) {
      if (known.lastObject === object) this.#notes.hasDuplicates = true;
      else known.seen++;
      known.lastObject = object;
      return known.shape;
    }
    const isFull = this.#members >= MAX_MEMBERS;
    if (isFull || shape.fields.size >= MAX_FIELDS || name.length > MAX_NAME_LENGTH) {
      return this.#toMap(shape, isFull);
    }
    this.#members++;
    const field = { shape: emptyShape(), seen: 1, lastObject: object };
    if (discriminators?.has(name)) field.shape.kinds = new Set();
    shape.fields.set(name, field);
    return field.shape;
  }

  #toMap(shape: Shape, isFull: boolean): Shape {
    const before = countMembers(shape);
    fieldsToValues(shape);
    if (isFull) shape.values = anyShape();
    this.#members += countMembers(shape) - before;
    this.#notes.hasMaps = true;
    return shape.values as Shape;
  }

  #number(): void {
    NUMBER.lastIndex = this.#at;
    const match = NUMBER.exec(this.#json);
    if (!match) throw this.#notJson();
    const [text, fraction, exponent] = match;
    const value = Number(text);
    const isWhole = fraction === undefined && exponent === undefined;
    if (!Number.isFinite(value)) this.#notes.hasInfinities = true;
    else if (isWhole && !Number.isSafeInteger(value)) this.#notes.hasUnsafeIntegers = true;
    addNumber(this.#target, isWhole && fitsInt64(text, value) ? 'integer' : 'double');
    this.#at += text.length;
  }

  #word(word: string): void {
    if (!this.#json.startsWith(word, this.#at)) throw this.#notJson();
    this.#at += word.length;
  }

  /** The place after the string that begins here. */
  #endOfString(): number {
    const json = this.#json;
    for (let i = this.#at + 1; ; i++) {
      const code = json.charCodeAt(i);
      if (code === QUOTE) return i + 1;
      // NaN, at the end of the text, is no code either.
      if (!(code >= 0x20)) throw this.#notJson();
      if (code !== BACKSLASH) continue;
      i++;
      if (json[i] === 'u') {
        HEX4.lastIndex = i + 1;
        if (!HEX4.test(json)) throw this.#notJson();
        i += 4;
      } else if (!'"\\/bfnrt'.includes(json[i] ?? '?')) throw this.#notJson();
    }
  }

  #skipBlanks(): void {
    for (;;) {
      const code = this.#json.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at++;
    }
  }

  #notJson(): NotJson {
    return new NotJson(`not JSON at ${this.#at}`);
  }
}

function fitsInt64(digits: string, value: number): boolean {
  if (Number.isSafeInteger(value)) return true;
  if (digits.length > 20) return false;
  const exact = BigInt(digits);
  return exact >= INT64_MIN && exact <= INT64_MAX;
}
