import { setPriority } from 'node:os';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { type Database, openAnother } from './database.ts';
import { indexedText, isCorrupt, openSearchIndex, removeSearchIndex } from './search-index.ts';

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

export type IndexerMessage = 'wake' | 'rebuild' | 'close';
/** Tombstones up to and including `seq` among those sent are applied and can go. */
export type IndexerAnswer = { tombstones: number[] } | 'rebuilt' | 'closed';

/** One commit of the index: small enough that nobody waits long, large enough to be worth it. */
const SLICE_ROWS = 500;
const SLICE_BYTES = 4 * 1024 * 1024;
/** Linux gives threads their own niceness: capture and delivery come first. */
const NICENESS = 19;
/** Page cache of each connection, KiB. */
const CACHE_KIB = 8192;

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
const events = openAnother(file, { readonly: true, cacheKib: CACHE_KIB });
const newBodies = events.prepare<[number, number], { seq: number; body: Buffer }>(
  'SELECT seq, body FROM event_contents WHERE seq > ? ORDER BY seq LIMIT ?',
);
const lastCaptured = events
  .prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'event_contents'")
  .pluck();
const tombstones = events
  .prepare<[number], number>('SELECT seq FROM search_tombstones ORDER BY seq LIMIT ?')
  .pluck();

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
    insert: db.prepare<[number, string]>('INSERT INTO bodies (rowid, text) VALUES (?, ?)'),
    leaveOut: db.prepare<[number]>('INSERT INTO unindexed (seq) VALUES (?)'),
    remove: db.prepare<[number]>('DELETE FROM bodies WHERE rowid = ?'),
    removeLeftOut: db.prepare<[number]>('DELETE FROM unindexed WHERE seq = ?'),
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
  const captured = lastCaptured.get() ?? 0;
  const watermark = index.watermark.get() as number;
  let last = watermark;
  let rows = 0;
  let bytes = 0;
  let isEnd = true;
  index.db.exec('BEGIN IMMEDIATE');
  try {
    for (const { seq, body } of newBodies.iterate(last, SLICE_ROWS)) {
      const text = indexedText(body);
      if (text === null) index.leaveOut.run(seq);
      else index.insert.run(seq, text);
      last = seq;
      rows++;
      bytes += body.length;
      isEnd = rows < SLICE_ROWS && bytes < SLICE_BYTES;
      if (!isEnd) break;
    }
    if (isEnd) last = Math.max(last, captured);
    if (last > watermark) index.setWatermark.run(last);
    index.db.exec('COMMIT');
  } catch (error) {
    if (index.db.inTransaction) index.db.exec('ROLLBACK');
    throw error;
  }
  return !isEnd;
}

/** Takes deleted events out. They are reported once, so that the writer drops their tombstones. */
function bury(): void {
  const seqs = tombstones.all(SLICE_ROWS);
  if (seqs.length === 0) return;
  const last = index.watermark.get() as number;
  index.db.transaction(() => {
    for (const seq of seqs) {
      if (seq > last) continue;
      index.remove.run(seq);
      index.removeLeftOut.run(seq);
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
  rebuilding ||= message === 'rebuild';
  woken = true;
  void work();
});
void work();
