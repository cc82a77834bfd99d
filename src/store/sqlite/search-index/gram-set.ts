/**
 * The search index describes a text by its grams. A gram is a run of three bytes of the text,
 * hashed to 16 bits. Grams consist of bytes, not of characters, so that every body has them. If a
 * text contains `q`, it has all grams of `q`. The reverse isn't true: a text with all grams of `q`
 * may not contain `q`, so the search must read the body.
 */

const GRAM_COUNT = 65_536;
/** The word of a block without grams. Such a block may contain any text. */
export const ANYTHING = 'any';
/** How many grams a query has for a clause. Each excludes most blocks that match the others. */
const MAX_QUERY_GRAMS = 32;

/** The words that FTS5 indexes: for each gram, four hexadecimal digits and a space. */
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

  /** Returns the number of grams in the set. */
  get size(): number {
    return this.#size;
  }

  /** Returns the set's share of all possible grams, 0 to 1. More queries match a denser set. */
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
 * Returns the FTS5 query for the blocks that may contain, for each clause, at least one of its
 * texts. A text of fewer than three bytes has no grams, so a clause with such a text is left out.
 * Returns null if no clause is left.
 */
export function blocksHolding(clauses: readonly (readonly string[])[]): string | null {
  const asked = clauses.flatMap((texts) => {
    const most = Math.ceil(MAX_QUERY_GRAMS / texts.length);
    const queries = texts.map((text) => gramsOf(text, most));
    return queries.includes(null) ? [] : [`(${queries.join(' OR ')})`];
  });
  return asked.length === 0 ? null : `(${asked.join(' AND ')}) OR "${ANYTHING}"`;
}

/** @param most how many grams the query has at most */
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
