import type { Database } from '../files/database.ts';
import { isCorrupt, openSearchIndex, removeSearchIndex } from './search-index.ts';

/** A range of consecutive events: the first and the last sequence number. */
export interface Block {
  first: number;
  last: number;
}

/** The search index, for the thread that writes it. */
export class IndexFile {
  readonly #path: string;
  readonly #generation: string;
  #open: ReturnType<typeof statementsOf>;

  /** Opens the index. If it is missing or broken, an empty one replaces it. */
  constructor(path: string, generation: string) {
    this.#path = path;
    this.#generation = generation;
    this.#open = this.#openOrBuild();
  }

  /** Returns the watermark. Every event up to this sequence number is in a block or deleted. */
  watermark(): number {
    return this.#open.watermark.get() as number;
  }

  setWatermark(seq: number): void {
    this.#open.setWatermark.run(seq);
  }

  addBlock({ first, last }: Block, grams: string): void {
    this.#open.addBlock.run(last, first);
    this.#open.addGrams.run(last, grams);
  }

  /** Returns the first block that ends at or after `seq`. */
  blockFrom(seq: number): Block | undefined {
    return this.#open.blockFrom.get(seq);
  }

  removeBlock({ last }: Block): void {
    this.#open.removeBlock.run(last);
    this.#open.removeGrams.run(last);
  }

  write<T>(work: () => T): T {
    return this.#open.db.transaction(work).immediate();
  }

  rebuild(): void {
    this.close();
    removeSearchIndex(this.#path);
    this.#open = this.#openOrBuild();
  }

  close(): void {
    this.#open.db.close();
  }

  #openOrBuild() {
    const db = openSearchIndex(this.#path, this.#generation);
    try {
      return statementsOf(db);
    } catch (error) {
      // Opening the index reads few pages, and may not have reached the broken ones.
      if (!isCorrupt(error)) throw error;
      db.close();
      removeSearchIndex(this.#path);
      return statementsOf(openSearchIndex(this.#path, this.#generation));
    }
  }
}

function statementsOf(db: Database) {
  return {
    db,
    watermark: db.prepare<[], number>('SELECT watermark FROM state').pluck(),
    setWatermark: db.prepare<[number]>('UPDATE state SET watermark = ?'),
    addBlock: db.prepare<[number, number]>('INSERT INTO blocks (last, first) VALUES (?, ?)'),
    addGrams: db.prepare<[number, string]>('INSERT INTO grams (rowid, words) VALUES (?, ?)'),
    blockFrom: db.prepare<[number], Block>(
      'SELECT first, last FROM blocks WHERE last >= ? ORDER BY last LIMIT 1',
    ),
    removeBlock: db.prepare<[number]>('DELETE FROM blocks WHERE last = ?'),
    removeGrams: db.prepare<[number]>('DELETE FROM grams WHERE rowid = ?'),
  };
}
