import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from './database.ts';
import { indexedText, openSearchIndex } from './search-index.ts';

/**
 * The thread that keeps the search index: reads what was committed, indexes it
 * in slices, and takes out what was deleted. Woken by a message after commits;
 * it never writes to the events' database, whose one writer is elsewhere.
 */

export interface IndexerData {
  file: string;
  searchFile: string;
  generation: string;
}

export type IndexerMessage = 'wake' | 'close';
/** Tombstones up to and including `seq` among those sent are applied and can go. */
export type IndexerAnswer = { tombstones: number[] } | 'closed';

/** One commit of the index: small enough that nobody waits long, large enough to be worth it. */
const SLICE_ROWS = 500;
const SLICE_BYTES = 4 * 1024 * 1024;
/** Linux gives threads their own niceness: capture and delivery come first. */
const NICENESS = 10;
/** Page cache of each connection, KiB. */
const CACHE_KIB = 8192;

if (process.platform === 'linux') {
  try {
    setPriority(0, NICENESS);
  } catch {
    // Not allowed everywhere; then indexing competes on equal terms.
  }
}

const { file, searchFile, generation } = workerData as IndexerData;
const port = parentPort as NonNullable<typeof parentPort>;
const index = openSearchIndex(searchFile, generation);
const events = openDatabase(file, { readonly: true, cacheKib: CACHE_KIB });

const watermark = index.prepare<[], number>('SELECT watermark FROM state').pluck();
const setWatermark = index.prepare<[number]>('UPDATE state SET watermark = ?');
const insert = index.prepare<[number, string]>('INSERT INTO bodies (rowid, text) VALUES (?, ?)');
const leaveOut = index.prepare<[number]>('INSERT INTO unindexed (seq) VALUES (?)');
const remove = index.prepare<[number]>('DELETE FROM bodies WHERE rowid = ?');
const removeLeftOut = index.prepare<[number]>('DELETE FROM unindexed WHERE seq = ?');
const newBodies = events.prepare<[number, number], { seq: number; body: Buffer }>(
  'SELECT seq, body FROM event_contents WHERE seq > ? ORDER BY seq LIMIT ?',
);
const tombstones = events
  .prepare<[number], number>('SELECT seq FROM search_tombstones ORDER BY seq LIMIT ?')
  .pluck();

let woken = true;
let working = false;
let closing = false;

/** Indexes the next slice. False when there is nothing new. */
function indexSlice(): boolean {
  let last = watermark.get() as number;
  let rows = 0;
  let bytes = 0;
  index.exec('BEGIN IMMEDIATE');
  try {
    for (const { seq, body } of newBodies.iterate(last, SLICE_ROWS)) {
      const text = indexedText(body);
      if (text === null) leaveOut.run(seq);
      else insert.run(seq, text);
      last = seq;
      rows++;
      bytes += body.length;
      if (bytes >= SLICE_BYTES) break;
    }
    if (rows > 0) setWatermark.run(last);
    index.exec('COMMIT');
  } catch (error) {
    index.exec('ROLLBACK');
    throw error;
  }
  return rows > 0;
}

/** Takes deleted events out. They are reported once, so that the writer drops their tombstones. */
function bury(): void {
  const seqs = tombstones.all(SLICE_ROWS);
  if (seqs.length === 0) return;
  const last = watermark.get() as number;
  index.transaction(() => {
    for (const seq of seqs) {
      if (seq > last) continue;
      remove.run(seq);
      removeLeftOut.run(seq);
    }
  })();
  port.postMessage({ tombstones: seqs } satisfies IndexerAnswer);
}

async function work(): Promise<void> {
  if (working) return;
  working = true;
  while (woken && !closing) {
    woken = false;
    bury();
    while (!closing && indexSlice()) await new Promise(setImmediate);
  }
  working = false;
  if (closing) close();
}

function close(): void {
  events.close();
  index.close();
  port.postMessage('closed' satisfies IndexerAnswer);
  port.close();
}

port.on('message', (message: IndexerMessage) => {
  if (message === 'close') {
    closing = true;
    if (!working) close();
    return;
  }
  woken = true;
  void work();
});
void work();
