export type RandomBytes = (count: number) => Uint8Array;

const HEX = '0123456789abcdef';
const DIGITS = '0123456789';
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const BASE62 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/**
 * Makes the values that differ between samples: times, and ids in the providers' alphabets. The
 * same time and random bytes give the same values. Use it only for ids, because some letters are
 * likelier than others.
 */
export class Fresh {
  /** Unix milliseconds. */
  readonly nowMs: number;
  readonly #randomBytes: RandomBytes;

  constructor(nowMs: number, randomBytes: RandomBytes) {
    this.nowMs = nowMs;
    this.#randomBytes = randomBytes;
  }

  /** Returns the time at an offset from now, Unix seconds. */
  seconds(offsetS = 0): number {
    return Math.floor(this.nowMs / 1000) + offsetS;
  }

  /** Returns the time at an offset from now: `2026-01-31T12:00:00Z`. */
  iso(offsetS = 0): string {
    return new Date(this.seconds(offsetS) * 1000).toISOString().replace('.000Z', 'Z');
  }

  hex(length: number): string {
    return this.#text(HEX, length);
  }

  /** Returns upper-case letters and digits. */
  upper(length: number): string {
    return this.#text(UPPER, length);
  }

  base62(length: number): string {
    return this.#text(BASE62, length);
  }

  /** Returns digits. The first digit isn't 0. */
  digits(length: number): string {
    const text = this.#text(DIGITS, length);
    return text.startsWith('0') ? `1${text.slice(1)}` : text;
  }

  /** Returns a whole number of at most 15 digits, which a JSON number represents exactly. */
  number(digits: number): number {
    return Number(this.digits(digits));
  }

  /** Returns a UUID of version 4 (RFC 9562, section 5.4). */
  uuid(): string {
    const variant = HEX[8 + ((this.#randomBytes(1)[0] as number) % 4)];
    return `${this.hex(8)}-${this.hex(4)}-4${this.hex(3)}-${variant}${this.hex(3)}-${this.hex(12)}`;
  }

  #text(alphabet: string, length: number): string {
    let text = '';
    for (const byte of this.#randomBytes(length)) text += alphabet[byte % alphabet.length];
    return text;
  }
}
