/**
 * The search index describes a text by its grams. A gram is a run of three bytes, hashed to 16
 * bits. Bytes are used because every body has them. A text that contains `q` has all grams of `q`.
 * A text with all grams of `q` may still not contain `q`, so the search must read the body.
 */

const GRAM_COUNT = 65_536;
/** The word of a block without grams. Such a block may contain any text. */
export const ANYTHING = 'any';
/** The largest number of grams for a clause of a query. Each gram excludes more blocks. */
const MAX_QUERY_GRAMS = 32;

/** The length of a word that FTS5 indexes: a gram's four hexadecimal digits and a space. */
const WORD_BYTES = 5;
const WORDS = everyWord();

/** Writes the words digit by digit. 65,536 strings would delay each thread's start by 10 ms. */
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

  get size(): number {
    return this.#size;
  }

  /** The set's share of all possible grams, 0 to 1. More queries match a denser set. */
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

  /** Removes the grams that were added after the set had `size` grams. */
  cutTo(size: number): void {
    for (const gram of this.#grams.subarray(size, this.#size)) this.#has[gram] = 0;
    this.#size = size;
  }

  /** Returns the grams as words to index, and empties the set. */
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
 * Returns the FTS5 query for blocks that may contain at least one text of each clause. A clause
 * with a text of fewer than three bytes is omitted, because such a text has no grams. Returns null
 * if no clause is left.
 */
export function blocksHolding(clauses: readonly (readonly string[])[]): string | null {
  const asked = clauses.flatMap((texts) => {
    const most = Math.ceil(MAX_QUERY_GRAMS / texts.length);
    const queries = texts.map((text) => gramsOf(text, most));
    return queries.includes(null) ? [] : [`(${queries.join(' OR ')})`];
  });
  return asked.length === 0 ? null : `(${asked.join(' AND ')}) OR "${ANYTHING}"`;
}

/** @param most the largest number of grams in the query */
function gramsOf(text: string, most: number): string | null {
  const bytes = Buffer.from(text);
  const grams = new Set<number>();
  for (let i = 2; i < bytes.length; i++) grams.add(gramOf(bytes.readUIntBE(i - 2, 3)));
  if (grams.size === 0) return null;
  const step = Math.ceil(grams.size / most);
  const asked = [...grams].filter((_, i) => i % step === 0);
  return `(${asked.map((gram) => `"${wordOf(gram)}"`).join(' AND ')})`;
}

/** Hashes 24 bits to 16 (Knuth's multiplicative hash). */
function gramOf(run: number): number {
  return Math.imul(run, 0x9e3779b1) >>> 16;
}

function wordOf(gram: number): string {
  return gram.toString(16).padStart(4, '0');
}
