/**
 * What the search index knows of text: which runs of three bytes ("grams") it
 * holds, each hashed to 16 bits. Of bytes and not of characters, so that every
 * body has them, whatever it is. A text that holds `q` has all grams of `q`;
 * the reverse is for the bodies to say.
 */

const GRAM_COUNT = 65_536;
/** What a block is given instead of its grams when it may hold anything. */
export const ANYTHING = 'any';
/** Grams that a query asks for at most: each sieves out most of what the others let through. */
const MAX_QUERY_GRAMS = 32;

/** Four hexadecimal digits and a space for each gram: the words that FTS5 indexes. */
const WORD_BYTES = 5;
const WORDS = everyWord();

/** Written digit by digit: 65,536 strings would cost each thread 10 ms at its start. */
function everyWord(): Buffer {
  const digits = Buffer.from('0123456789abcdef');
  const words = Buffer.alloc(GRAM_COUNT * WORD_BYTES, ' ');
  for (let gram = 0, at = 0; gram < GRAM_COUNT; gram++, at += WORD_BYTES) {
    for (let i = 0; i < 4; i++) words[at + i] = digits[(gram >> (12 - 4 * i)) & 15] as number;
  }
  return words;
}

/** The distinct grams of a block of bodies. */
export class GramSet {
  readonly #has = new Uint8Array(GRAM_COUNT);
  readonly #grams = new Uint16Array(GRAM_COUNT);
  readonly #text = Buffer.alloc(GRAM_COUNT * WORD_BYTES);
  #size = 0;

  /** How many are in it. */
  get size(): number {
    return this.#size;
  }

  /** The share of all grams that are in it, 0 to 1. The higher, the less it sieves. */
  get density(): number {
    return this.#size / GRAM_COUNT;
  }

  add(bytes: Uint8Array): void {
    const has = this.#has;
    const grams = this.#grams;
    let size = this.#size;
    let run = ((bytes[0] as number) << 8) | (bytes[1] as number);
    for (let i = 2; i < bytes.length; i++) {
      run = ((run << 8) | (bytes[i] as number)) & 0xffffff;
      const gram = gramOf(run);
      if (has[gram] === 1) continue;
      has[gram] = 1;
      grams[size++] = gram;
    }
    this.#size = size;
  }

  /** Takes out what was added since there were so many. */
  cutTo(size: number): void {
    for (const gram of this.#grams.subarray(size, this.#size)) this.#has[gram] = 0;
    this.#size = size;
  }

  /** The words to index for what was added, and an empty set again. */
  take(): string {
    const text = this.#text;
    let end = 0;
    for (let i = 0; i < this.#size; i++) {
      const gram = this.#grams[i] as number;
      this.#has[gram] = 0;
      for (let at = gram * WORD_BYTES; at < (gram + 1) * WORD_BYTES; at++) {
        text[end++] = WORDS[at] as number;
      }
    }
    this.#size = 0;
    return text.toString('latin1', 0, end);
  }
}

/**
 * The FTS5 query for the blocks that may hold `q`, or null when `q` is under
 * three bytes long: it has no grams, and is scanned for.
 */
export function blocksHolding(q: string): string | null {
  const bytes = Buffer.from(q);
  const grams = new Set<number>();
  for (let i = 2; i < bytes.length; i++) grams.add(gramOf(bytes.readUIntBE(i - 2, 3)));
  if (grams.size === 0) return null;
  const step = Math.ceil(grams.size / MAX_QUERY_GRAMS);
  const asked = [...grams].filter((_, i) => i % step === 0);
  return `(${asked.map((gram) => `"${wordOf(gram)}"`).join(' AND ')}) OR "${ANYTHING}"`;
}

/** Spreads the 24 bits over the 16 (Knuth's multiplicative hash). */
function gramOf(run: number): number {
  return Math.imul(run, 0x9e3779b1) >>> 16;
}

function wordOf(gram: number): string {
  return gram.toString(16).padStart(4, '0');
}
