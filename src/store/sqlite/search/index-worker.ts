import { statSync } from 'node:fs';
import { setPriority } from 'node:os';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { freeMemory } from '../../../core/free-memory.ts';
import { decodedBytes } from '../../../core/search-text.ts';
import type { Database } from '../files/database.ts';
import { readableBody, type StoredBody } from '../writing/stored-body.ts';
import { EventsToIndex } from './events-to-index.ts';
import { ANYTHING, GramSet } from './gram-set.ts';
import { isCorrupt, openSearchIndex, removeSearchIndex } from './search-index.ts';

/**
 * The thread that keeps the search index: reads what was committed, indexes it
 * in slices, and takes out what was deleted. Woken by a message after commits;
 * it never writes to the events' database, whose one writer is elsewhere.
 */

export interface IndexerData {
  file: string;
  searchFile: string;
  generation: string;
  /** Who asks, where that isn't who started the thread. */
  port?: MessagePort;
}

/** `broken`: the inode of the index that a search couldn't read. */
export type IndexerMessage = 'wake' | 'close' | { broken: number };
/** Tombstones up to and including `seq` among those sent are applied and can go. */
export type IndexerAnswer = { tombstones: number[] } | 'rebuilt' | 'closed';

/** One commit of the index: small enough that nobody waits long, large enough to be worth it. */
const SLICE_ROWS = 4096;
const SLICE_BYTES = 8 * 1024 * 1024;
/** A block ends at so many events: the larger, the smaller the index, and the more a hit must read. */
const BLOCK_EVENTS = 64;
/** And where it would let through too much: at this share of all grams. */
const BLOCK_DENSITY = 0.25;
/**
 * A slice ends with so many blocks that do, about 0.2 s of work: small bodies of noise or
 * base64 are most of a block each, and whoever stops the server waits for the slice.
 */
const SLICE_DENSE_BLOCKS = 8;
/** A body with more of them than this is let through by most queries anyway. */
const USELESS_DENSITY = 0.75;
/**
 * One that brings more than a few grams, and a new one for each four of its bytes, is
 * noise, base64 or random ids: its place in the index would be larger than it, and take
 * hundreds of times as long to make as reading it for a search does.
 */
const FEW_GRAMS = 8192;
const LEAST_BYTES_PER_GRAM = 4;
/** Larger bodies are always read: their grams would hold up all others. */
const INDEXED_BODY_MAX_BYTES = 1024 * 1024;
/** Linux gives threads their own niceness: capture and delivery come first. */
const NICENESS = 19;

if (process.platform === 'linux') {
  try {
    setPriority(0, NICENESS);
  } catch {
    // Not allowed everywhere; then indexing competes on equal terms.
  }
}

const {
  file,
  searchFile,
  generation,
  port = parentPort as MessagePort,
} = workerData as IndexerData;
const events = new EventsToIndex(file);
const grams = new GramSet();

/** Opens the index, or makes it anew when it is broken where opening didn't look. */
function openIndex() {
  const db = openSearchIndex(searchFile, generation);
  try {
    return statementsOf(db);
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    db.close();
    removeSearchIndex(searchFile);
    return statementsOf(openSearchIndex(searchFile, generation));
  }
}

function statementsOf(db: Database) {
  return {
    db,
    watermark: db.prepare<[], number>('SELECT watermark FROM state').pluck(),
    setWatermark: db.prepare<[number]>('UPDATE state SET watermark = ?'),
    addBlock: db.prepare<[number, number]>('INSERT INTO blocks (last, first) VALUES (?, ?)'),
    addGrams: db.prepare<[number, string]>('INSERT INTO grams (rowid, words) VALUES (?, ?)'),
    blockFrom: db.prepare<[number], { first: number; last: number }>(
      'SELECT first, last FROM blocks WHERE last >= ? ORDER BY last LIMIT 1',
    ),
    removeBlock: db.prepare<[number]>('DELETE FROM blocks WHERE last = ?'),
    removeGrams: db.prepare<[number]>('DELETE FROM grams WHERE rowid = ?'),
  };
}

let index = openIndex();
let woken = true;
let working = false;
let rebuilding = false;
let closing = false;

/** Indexes the next slice. False when there is nothing more. */
function indexSlice(): boolean {
  // Read first: whatever was captured up to it, and isn't there any more, was deleted.
  const captured = events.lastCaptured();
  const watermark = index.watermark.get() as number;
  let last = watermark;
  let rows = 0;
  let bytes = 0;
  let dense = 0;
  let isEnd = true;
  let blockFirst = 0;
  let blockEvents = 0;
  let isSieved = true;
  const endBlock = () => {
    index.addBlock.run(last, blockFirst);
    if (grams.density > BLOCK_DENSITY) dense++;
    index.addGrams.run(last, isSieved ? grams.take() : ANYTHING);
    blockEvents = 0;
  };
  index.db.exec('BEGIN IMMEDIATE');
  try {
    for (const row of events.after(last, SLICE_ROWS)) {
      const size = row.body === null ? 0 : (row.uncompressed_size ?? row.body.length);
      const hasGrams = row.body !== null && addGramsOf(row, size);
      // Blocks are all of one kind: bodies with grams needn't be read with those without.
      if (hasGrams !== isSieved && blockEvents > 0) endBlock();
      isSieved = hasGrams;
      if (blockEvents++ === 0) blockFirst = row.seq;
      last = row.seq;
      if (blockEvents === BLOCK_EVENTS || grams.density > BLOCK_DENSITY) endBlock();
      rows++;
      bytes += size;
      isEnd = rows < SLICE_ROWS && bytes < SLICE_BYTES && dense < SLICE_DENSE_BLOCKS;
      if (!isEnd) break;
    }
    if (blockEvents > 0) endBlock();
    if (isEnd) last = Math.max(last, captured);
    if (last > watermark) index.setWatermark.run(last);
    index.db.exec('COMMIT');
  } catch (error) {
    grams.take();
    if (index.db.inTransaction) index.db.exec('ROLLBACK');
    throw error;
  }
  return !isEnd;
}

/**
 * What a search is matched against: the body as received, and with its JSON escapes
 * decoded. False for a body that every search must read: it is in no gram.
 */
function addGramsOf(stored: StoredBody, size: number): boolean {
  const body = size <= INDEXED_BODY_MAX_BYTES ? readableBody(stored) : null;
  if (!body) return false;
  const before = grams.size;
  grams.add(body);
  const decoded = decodedBytes(body);
  if (decoded !== null) grams.add(decoded);
  if (body !== stored.body) freeMemory(body);
  const added = grams.size - before;
  const isFew = added <= FEW_GRAMS || added * LEAST_BYTES_PER_GRAM <= size;
  if (isFew && grams.density <= USELESS_DENSITY) return true;
  grams.cutTo(before);
  return false;
}

/**
 * Takes out the blocks whose events are all deleted. What was looked at is
 * reported once, so that the writer drops its tombstones.
 */
function bury(): void {
  const seqs = events.deleted(SLICE_ROWS);
  if (seqs.length === 0) return;
  index.db.transaction(() => {
    let lookedUpTo = 0;
    for (const seq of seqs) {
      if (seq <= lookedUpTo) continue;
      const block = index.blockFrom.get(seq);
      if (!block) break;
      if (seq < block.first) continue;
      lookedUpTo = block.last;
      if (events.anyIn(block)) continue;
      index.removeBlock.run(block.last);
      index.removeGrams.run(block.last);
    }
  })();
  port.postMessage({ tombstones: seqs } satisfies IndexerAnswer);
}

function rebuild(): void {
  rebuilding = false;
  index.db.close();
  removeSearchIndex(searchFile);
  index = openIndex();
  port.postMessage('rebuilt' satisfies IndexerAnswer);
}

/** A slice at a time; an index that turns out to be broken is made anew. */
async function work(): Promise<void> {
  if (working) return;
  working = true;
  while (woken && !closing) {
    woken = false;
    try {
      if (rebuilding) rebuild();
      bury();
      while (!closing && !rebuilding && indexSlice()) await new Promise(setImmediate);
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      rebuilding = true;
      // What is told meanwhile is heard: that is all a stop needs.
      await new Promise(setImmediate);
    }
    woken ||= rebuilding;
  }
  working = false;
  if (closing) close();
}

function close(): void {
  events.close();
  index.db.close();
  port.postMessage('closed' satisfies IndexerAnswer);
  port.close();
}

port.on('message', (message: IndexerMessage) => {
  if (message === 'close') {
    closing = true;
    if (!working) close();
    return;
  }
  if (message !== 'wake') {
    // Those who still had one open that was made anew meanwhile are late.
    if (statSync(searchFile, { throwIfNoEntry: false })?.ino === message.broken) rebuilding = true;
    else port.postMessage('rebuilt' satisfies IndexerAnswer);
  }
  woken = true;
  void work();
});
void work();
