/**
 * Whether bytes, which must be valid UTF-8, are one JSON text (RFC 8259).
 *
 * `JSON.parse` builds the values: 10 MiB of `[` takes it 4.7 s and much memory. This scan
 * keeps one byte for each open bracket.
 */
export function isJson(bytes: Uint8Array): boolean {
  const scan = new JsonScan();
  return scan.takeAll(bytes) && scan.isWhole();
}

/* States of the scan, named after the expected input. */
const VALUE = 0;
const VALUE_OR_CLOSE = 1;
const KEY = 2;
const KEY_OR_CLOSE = 3;
const COLON = 4;
const COMMA_OR_CLOSE = 5;
const IN_STRING = 6;
const ESCAPED = 7;
const HEX = 8;
const IN_LITERAL = 9;
const MINUS = 10;
const POINT = 11;
const E = 12;
const E_SIGN = 13;
/* In these states a number may also end. */
const ZERO = 14;
const INTEGER = 15;
const FRACTION = 16;
const EXPONENT = 17;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const CLOSE_OBJECT = 0x7d;
const CLOSE_ARRAY = 0x5d;
const SPACE = 0x20;
const DIGIT_0 = 0x30;

/** Rest of each literal, by its first character. */
const LITERALS: Record<string, string> = { t: 'rue', f: 'alse', n: 'ull' };

class JsonScan {
  #state = VALUE;
  /** For each open bracket, outermost first, the byte that closes it. */
  #closers = new Uint8Array(64);
  #depth = 0;
  #inKey = false;
  /** Expected rest of the literal. */
  #literal = '';
  /** Expected hexadecimal digits. */
  #hexDigits = 0;

  isWhole(): boolean {
    return this.#depth === 0 && (this.#state === COMMA_OR_CLOSE || this.#state >= ZERO);
  }

  /** Returns false if no JSON text begins like this. */
  takeAll(bytes: Uint8Array): boolean {
    const to = bytes.length;
    for (let i = 0; i < to; i++) {
      // Strings are the largest part of most bodies: their plain bytes take a fast path.
      if (this.#state === IN_STRING) {
        while (i < to && isPlain(bytes[i] as number)) i++;
        if (i === to) return true;
      }
      if (!this.#take(bytes[i] as number)) return false;
    }
    return true;
  }

  #take(byte: number): boolean {
    const state = this.#state;
    switch (state) {
      case IN_STRING:
        if (byte === QUOTE) return this.#go(this.#inKey ? COLON : COMMA_OR_CLOSE);
        return byte === BACKSLASH && this.#go(ESCAPED);
      case ESCAPED:
        this.#hexDigits = 4;
        if (byte === 0x75) return this.#go(HEX);
        return '"\\/bfnrt'.includes(String.fromCharCode(byte)) && this.#go(IN_STRING);
      case HEX:
        this.#hexDigits--;
        return isHex(byte) && (this.#hexDigits > 0 || this.#go(IN_STRING));
      case IN_LITERAL:
        if (byte !== this.#literal.charCodeAt(0)) return false;
        this.#literal = this.#literal.slice(1);
        return this.#literal !== '' || this.#go(COMMA_OR_CLOSE);
      case MINUS:
        return byte === DIGIT_0 ? this.#go(ZERO) : isDigit(byte) && this.#go(INTEGER);
      case POINT:
        return isDigit(byte) && this.#go(FRACTION);
      case E:
        if (byte === 0x2b || byte === 0x2d) return this.#go(E_SIGN);
        return isDigit(byte) && this.#go(EXPONENT);
      case E_SIGN:
        return isDigit(byte) && this.#go(EXPONENT);
    }
    if (state >= ZERO) {
      if (isDigit(byte)) return state !== ZERO;
      if (byte === 0x2e && state <= INTEGER) return this.#go(POINT);
      if ((byte | 0x20) === 0x65 && state !== EXPONENT) return this.#go(E);
      this.#state = COMMA_OR_CLOSE;
    }
    return isBlank(byte) || this.#takeToken(byte);
  }

  /** Takes a byte between tokens. */
  #takeToken(byte: number): boolean {
    switch (this.#state) {
      case COLON:
        return byte === 0x3a && this.#go(VALUE);
      case COMMA_OR_CLOSE:
        if (byte !== COMMA) return this.#close(byte);
        if (this.#depth === 0) return false;
        return this.#go(this.#closers[this.#depth - 1] === CLOSE_OBJECT ? KEY : VALUE);
      case KEY:
      case KEY_OR_CLOSE:
        this.#inKey = true;
        if (byte === QUOTE) return this.#go(IN_STRING);
        return this.#state === KEY_OR_CLOSE && this.#close(byte);
      case VALUE_OR_CLOSE:
        return this.#close(byte) || this.#takeValue(byte);
      default:
        return this.#takeValue(byte);
    }
  }

  /** Takes the first byte of a value. */
  #takeValue(byte: number): boolean {
    switch (byte) {
      case QUOTE:
        this.#inKey = false;
        return this.#go(IN_STRING);
      case 0x7b:
        return this.#open(CLOSE_OBJECT, KEY_OR_CLOSE);
      case 0x5b:
        return this.#open(CLOSE_ARRAY, VALUE_OR_CLOSE);
      case 0x2d:
        return this.#go(MINUS);
      case DIGIT_0:
        return this.#go(ZERO);
    }
    if (isDigit(byte)) return this.#go(INTEGER);
    this.#literal = LITERALS[String.fromCharCode(byte)] ?? '';
    return this.#literal !== '' && this.#go(IN_LITERAL);
  }

  #open(closer: number, next: number): boolean {
    if (this.#depth === this.#closers.length) {
      const grown = new Uint8Array(2 * this.#depth);
      grown.set(this.#closers);
      this.#closers = grown;
    }
    this.#closers[this.#depth++] = closer;
    return this.#go(next);
  }

  #close(byte: number): boolean {
    if (this.#depth === 0 || byte !== this.#closers[this.#depth - 1]) return false;
    this.#depth--;
    return this.#go(COMMA_OR_CLOSE);
  }

  #go(state: number): true {
    this.#state = state;
    return true;
  }
}

/** Whether a byte inside a string stands for itself. */
const isPlain = (byte: number) => byte >= SPACE && byte !== QUOTE && byte !== BACKSLASH;
const isDigit = (byte: number) => byte >= DIGIT_0 && byte <= 0x39;
const isHex = (byte: number) => isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
const isBlank = (byte: number) => byte === SPACE || byte === 0x0a || byte === 0x0d || byte === 0x09;
