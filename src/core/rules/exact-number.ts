declare global {
  interface JSON {
    /** TypeScript's libraries lack it. https://tc39.es/proposal-json-parse-with-source */
    rawJSON(text: string): object;
  }
}

/**
 * A JSON number that a double can't hold exactly. For example, 12345678901234567890 and
 * 12345678901234567891 would be equal as doubles.
 */
export class ExactNumber {
  /** The number as JSON spells it. */
  readonly text: string;
  #decimal: Decimal | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** Computed once, because a rule may compare the number often. */
  get decimal(): Decimal {
    this.#decimal ??= decimalOf(this.text);
    return this.#decimal;
  }

  /** `JSON.stringify` writes every digit. */
  toJSON(): object {
    return JSON.rawJSON(this.text);
  }
}

/** Different decimals of up to this many digits have different doubles, in the same order. */
const SAFE_DIGITS = 15;
/** Beyond this power of ten, doubles lose digits, or become zero or infinite. */
const SAFE_MAGNITUDE = 290;

/** An exponent far beyond that of any double. */
const LONG_EXPONENT = /[eE][+-]?\d{20}/;
/** How many digits of an exponent are read. Reading megabytes of them takes seconds. */
const EXPONENT_DIGITS = 1000;

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** @param text a JSON number */
export function numberOf(text: string): number | ExactNumber {
  if (LONG_EXPONENT.test(text)) return new ExactNumber(text);
  const { digits, exponent } = decimalOf(text);
  const magnitude = exponent + BigInt(digits.length);
  const isSafe =
    digits.length <= SAFE_DIGITS && magnitude > -SAFE_MAGNITUDE && magnitude < SAFE_MAGNITUDE;
  return isSafe ? Number(text) : new ExactNumber(text);
}

/**
 * Returns the number that a text spells: digits, with an optional minus, fraction and exponent, as
 * JSON has them, and with zeros in front. Null for any other text, such as one with blanks or `+`.
 */
export function numberInText(text: string): number | ExactNumber | null {
  return isDecimal(text) ? numberOf(text) : null;
}

/**
 * Returns a text that is the same for numbers of the same value: `1.50` and `1.5`. Returns any text
 * that isn't a number unchanged.
 */
export function numberKey(text: string): string {
  if (!isDecimal(text)) return text;
  const { sign, digits, exponent } = decimalOf(text);
  return `${sign}:${digits}e${exponent}`;
}

/** Returns a negative number if `a` is smaller, 0 if both are equal, otherwise a positive one. */
export function compareNumbers(a: number | ExactNumber, b: number | ExactNumber): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const left = decimalIn(a);
  const right = decimalIn(b);
  if (left.sign !== right.sign) return left.sign - right.sign;
  return left.sign * compareSizes(left, right);
}

function decimalIn(number: number | ExactNumber): Decimal {
  return typeof number === 'number' ? decimalOf(String(number)) : number.decimal;
}

/** `sign` × `digits` × 10^`exponent`, without zeros at either end of the digits. */
interface Decimal {
  sign: -1 | 0 | 1;
  digits: string;
  exponent: bigint;
}

/** Looks at each character once, and at no more of a long text than its first other character. */
function isDecimal(text: string): boolean {
  let at = endOfRun(text, text.startsWith('-') ? 1 : 0);
  if (at === null) return false;
  if (text[at] === '.') at = endOfRun(text, at + 1);
  if (at === null) return false;
  if (text[at] === 'e' || text[at] === 'E') {
    at = endOfRun(text, text[at + 1] === '-' || text[at + 1] === '+' ? at + 2 : at + 1);
  }
  return at === text.length;
}

/** Returns where the digits that begin at `from` end. Null if there are none. */
function endOfRun(text: string, from: number): number | null {
  let end = from;
  for (let code = text.charCodeAt(end); code >= ZERO && code <= NINE; code = text.charCodeAt(end)) {
    end++;
  }
  return end > from ? end : null;
}

const [ZERO, NINE] = [0x30, 0x39];

function decimalOf(text: string): Decimal {
  const [, minus, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  const all = `${whole}${fraction}`.replace(/^0+/, '');
  const digits = all.slice(0, endOfDigits(all));
  if (digits === '') return { sign: 0, digits, exponent: 0n };
  const shift = all.length - digits.length - fraction.length;
  return { sign: minus ? -1 : 1, digits, exponent: exponentOf(exponent) + BigInt(shift) };
}

/** Reads an exponent. All longer exponents count as 10 to the power of `EXPONENT_DIGITS`. */
function exponentOf(text: string): bigint {
  const digits = text.replace(/^[+-]?0*/, '');
  const size = digits.length > EXPONENT_DIGITS ? `1${'0'.repeat(EXPONENT_DIGITS)}` : digits || '0';
  return text.startsWith('-') ? -BigInt(size) : BigInt(size);
}

/**
 * Returns where the zeros at the end begin. `/0+$/` would take quadratic time if there are zeros in
 * the middle.
 */
function endOfDigits(digits: string): number {
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return end;
}

function compareSizes(a: Decimal, b: Decimal): number {
  const larger = a.exponent + BigInt(a.digits.length) - b.exponent - BigInt(b.digits.length);
  if (larger !== 0n) return larger > 0n ? 1 : -1;
  if (a.digits === b.digits) return 0;
  // Both begin at the same power of ten, so comparing their texts compares the numbers.
  return a.digits > b.digits ? 1 : -1;
}
