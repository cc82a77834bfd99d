import { DISCRIMINATORS, INNER_DISCRIMINATORS, noteKind } from './event-kinds.ts';
import {
  addNumber,
  anyShape,
  countMembers,
  emptyShape,
  fieldsToValues,
  type TypeShape,
} from './shape.ts';

/** How many levels a shape describes. It accepts any value below them. */
const MAX_DEPTH = 32;
/**
 * The most names in one object's type. An object with more is a map. GitHub's repositories have
 * about 100.
 */
const MAX_FIELDS = 300;
/** The longest name of a member, characters. A longer name is data. */
const MAX_NAME_LENGTH = 120;
/**
 * How many members a whole shape may have. This limits its memory. `trimShape` cuts a type further.
 */
const MAX_MEMBERS = 50_000;

/** Facts about a text that its shape doesn't hold. They go into the comment above the type. */
export interface ShapeNotes {
  /** Integers that a JavaScript number can't hold exactly. */
  hasUnsafeIntegers: boolean;
  /** Numbers beyond the range of a double. `JSON.parse` turns them into Infinity. */
  hasInfinities: boolean;
  /** One object had the same name twice. Maps aren't checked for this. */
  hasDuplicates: boolean;
  /** The payload has levels below `MAX_DEPTH`. */
  isTooDeep: boolean;
  /** Some objects became maps, because their names were too many or too long. */
  hasMaps: boolean;
}

/** The text is not JSON. The message tells where. */
export class JsonFault extends Error {}

/** A container whose end hasn't come yet. */
interface Frame {
  shape: TypeShape;
  isArray: boolean;
  /** The number of this object within the text. It is 0 for an array. */
  object: number;
  /** The names of this object's members that tell the kind of event. */
  discriminators: ReadonlySet<string> | null;
}

/** What may come next. A container may close right after it has opened. */
type Expected = 'value' | 'item or ]' | 'name' | 'name or }' | ', or end';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);
const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const HEX4 = /[0-9a-fA-F]{4}/y;

/**
 * Reads the shape of a JSON text in one pass, without recursion. Builds no values, because 10 MB of
 * text can become 300 MB of values. The text also distinguishes `1` from `1.0`, and shows numbers
 * that a double can't represent.
 *
 * Throws `JsonFault` for exactly the texts that `JSON.parse` refuses.
 */
export function readShape(json: string): { shape: TypeShape; notes: ShapeNotes } {
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
  /** The shape of all values below `MAX_DEPTH`. Those values are checked, but not described. */
  readonly #abyss = anyShape();
  readonly #open: Frame[] = [];
  /** The shape of the next value. */
  #target = this.#root;
  #memberName = '';
  #at = 0;
  #members = 0;
  #objects = 0;

  constructor(json: string) {
    this.#json = json;
  }

  read(): { shape: TypeShape; notes: ShapeNotes } {
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
        // All items share one shape.
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

  #discriminators(): ReadonlySet<string> | null {
    const parent = this.#open.at(-1);
    if (!parent || (parent.isArray && this.#open.length === 1)) return DISCRIMINATORS;
    const isMember = !parent.isArray && parent.discriminators === DISCRIMINATORS;
    return isMember ? (INNER_DISCRIMINATORS.get(this.#memberName) ?? null) : null;
  }

  #string(target: TypeShape): void {
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

  #member({ shape, object, discriminators }: Frame, name: string): TypeShape {
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

  #toMap(shape: TypeShape, isFull: boolean): TypeShape {
    const before = countMembers(shape);
    fieldsToValues(shape);
    if (isFull) shape.values = anyShape();
    this.#members += countMembers(shape) - before;
    this.#notes.hasMaps = true;
    return shape.values as TypeShape;
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

  /** Returns the offset after the string that begins at the current offset. */
  #endOfString(): number {
    const json = this.#json;
    for (let i = this.#at + 1; ; i++) {
      const code = json.charCodeAt(i);
      if (code === QUOTE) return i + 1;
      // At the end of the text, `code` is NaN, so the comparison is false there too.
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

  #notJson(): JsonFault {
    return new JsonFault(`not JSON at ${this.#at}`);
  }
}

function fitsInt64(digits: string, value: number): boolean {
  if (Number.isSafeInteger(value)) return true;
  if (digits.length > 20) return false;
  const exact = BigInt(digits);
  return exact >= INT64_MIN && exact <= INT64_MAX;
}
