import { freeMemory } from '../../../core/runtime/free-memory.ts';
import { mayBeEncoded, otherReadings } from '../../shared/search/search-text.ts';
import { readableBody, type StoredBody } from '../events/stored-body.ts';
import type { EventToIndex } from './events-to-index.ts';
import { ANYTHING, type GramSet } from './gram-set.ts';
import type { IndexFile } from './index-file.ts';

/** The number of events in a block. Larger blocks save space, but each hit reads more bodies. */
const BLOCK_EVENTS = 64;
/** The share of all grams at which a block ends. A denser block would match too many queries. */
const BLOCK_DENSITY = 0.25;
/** The largest share of all grams in a useful block. A denser block matches most queries. */
const USELESS_DENSITY = 0.75;
/**
 * A body that adds more grams than `FEW_GRAMS`, and more than one per four bytes, is noise, base64
 * or random ids. Its entry would be larger than the body. Writing the entry would take hundreds of
 * times as long as reading the body in a search.
 */
const FEW_GRAMS = 8192;
const LEAST_BYTES_PER_GRAM = 4;
/** The largest indexed body, bytes. Larger ones would delay the index, so searches read them. */
const INDEXED_BODY_MAX_BYTES = 1024 * 1024;

/**
 * Groups consecutive events into blocks of the index. Either all bodies of a block have grams or
 * none has. So a search that must read bodies without grams reads no other bodies.
 */
export class BlockBuilder {
  /** How many blocks ended because they were dense. It measures the work done so far. */
  denseBlocks = 0;
  readonly #index: IndexFile;
  readonly #grams: GramSet;
  readonly #contentTypeOf: (seq: number) => string | null;
  #events = 0;
  #first = 0;
  #last = 0;
  #hasGrams = true;

  /** @param grams an empty set. All builders share it, because it is large */
  constructor(index: IndexFile, grams: GramSet, contentTypeOf: (seq: number) => string | null) {
    this.#contentTypeOf = contentTypeOf;
    this.#index = index;
    this.#grams = grams;
  }

  /** @param size size of the captured body, bytes; 0 if the body can't be read */
  add(event: EventToIndex, size: number): void {
    const hasGrams = event.body !== null && this.#addGrams(event, event.seq, size);
    if (hasGrams !== this.#hasGrams) this.end();
    this.#hasGrams = hasGrams;
    if (this.#events++ === 0) this.#first = event.seq;
    this.#last = event.seq;
    if (this.#events === BLOCK_EVENTS || this.#grams.density > BLOCK_DENSITY) this.end();
  }

  /** Writes the block if it has events. */
  end(): void {
    if (this.#events === 0) return;
    if (this.#grams.density > BLOCK_DENSITY) this.denseBlocks++;
    const block = { first: this.#first, last: this.#last };
    this.#index.addBlock(block, this.#hasGrams ? this.#grams.take() : ANYTHING);
    this.#events = 0;
  }

  /** Adds the grams of the body and of its other readings. Returns false if it adds none. */
  #addGrams(stored: StoredBody, seq: number, size: number): boolean {
    const body = size <= INDEXED_BODY_MAX_BYTES ? readableBody(stored) : null;
    if (!body) return false;
    const grams = this.#grams;
    const before = grams.size;
    grams.add(body);
    const contentType = mayBeEncoded(body) ? this.#contentTypeOf(seq) : null;
    for (const reading of otherReadings(body, contentType)) grams.add(reading);
    if (body !== stored.body) freeMemory(body);
    const added = grams.size - before;
    const isFew = added <= FEW_GRAMS || added * LEAST_BYTES_PER_GRAM <= size;
    if (isFew && grams.density <= USELESS_DENSITY) return true;
    grams.cutTo(before);
    return false;
  }
}
