import { statSync } from 'node:fs';
import { setPriority } from 'node:os';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { Crossing } from '../../../core/threads/crossing.ts';
import '../threads/load-sqlite.ts';
import { BlockBuilder } from './block-builder.ts';
import { EventsToIndex } from './events-to-index.ts';
import { GramSet } from './gram-set.ts';
import { IndexFile } from './index-file.ts';
import type { IndexerData, IndexerFunctions, IndexerReports } from './indexer.ts';
import { isCorrupt } from './search-index.ts';

/**
 * The thread that maintains the search index. A message wakes it after commits. It indexes events
 * in slices and removes deleted ones. It never writes to the events' database, because the store's
 * thread is the only writer there.
 */

/**
 * The limits of one commit of the index. Small commits let the thread stop quickly. Large commits
 * have less overhead.
 */
const SLICE_ROWS = 4096;
const SLICE_BYTES = 8 * 1024 * 1024;
/** Eight dense blocks take 0.2 s. Even a small body of noise or base64 can fill a block. */
const SLICE_DENSE_BLOCKS = 8;
/** On Linux each thread has its own niceness. This value gives capture and delivery priority. */
const NICENESS = 19;

if (process.platform === 'linux') {
  try {
    setPriority(0, NICENESS);
  } catch {
    // Some systems forbid it. Indexing then has the same priority as everything.
  }
}

class IndexLoop {
  readonly #events: EventsToIndex;
  readonly #index: IndexFile;
  readonly #searchFile: string;
  readonly #reports: IndexerReports['reports'];
  readonly #onClosed: () => void;
  readonly #grams = new GramSet();
  #isWorking = false;
  #isClosing = false;
  #isWoken = false;
  #isIndexBroken = false;

  constructor(
    { file, searchFile, generation }: IndexerData,
    reports: IndexerReports['reports'],
    onClosed: () => void,
  ) {
    this.#events = new EventsToIndex(file);
    this.#index = new IndexFile(searchFile, generation);
    this.#searchFile = searchFile;
    this.#reports = reports;
    this.#onClosed = onClosed;
  }

  wake(): void {
    this.#isWoken = true;
    if (!this.#isWorking && !this.#isClosing) void this.#work();
  }

  /** Replaces the index file with this inode. Ignores a file that has already been replaced. */
  rebuild(inode: number): void {
    if (statSync(this.#searchFile, { throwIfNoEntry: false })?.ino === inode) {
      this.#isIndexBroken = true;
    } else this.#reports.rebuilt();
    this.wake();
  }

  close(): void {
    this.#isClosing = true;
    if (!this.#isWorking) this.#end();
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    while (this.#isWoken && !this.#isClosing) {
      this.#isWoken = false;
      try {
        if (this.#isIndexBroken) this.#replaceIndex();
        this.#bury();
        while (!this.#isClosing && !this.#isIndexBroken && this.#indexSlice()) {
          await new Promise(setImmediate);
        }
      } catch (error) {
        if (!isCorrupt(error)) throw error;
        this.#isIndexBroken = true;
        // Lets messages arrive. One of them may ask the thread to close.
        await new Promise(setImmediate);
      }
      this.#isWoken ||= this.#isIndexBroken;
    }
    this.#isWorking = false;
    if (this.#isClosing) this.#end();
  }

  /** Indexes the next events in one commit. Returns false if none is left. */
  #indexSlice(): boolean {
    // Read before the events. So a missing event up to this number is deleted.
    const captured = this.#events.lastCaptured();
    const watermark = this.#index.watermark();
    const builder = new BlockBuilder(this.#index, this.#grams, (seq) =>
      this.#events.contentType(seq),
    );
    let last = watermark;
    let rows = 0;
    let bytes = 0;
    let isEnd = true;
    try {
      this.#index.write(() => {
        for (const row of this.#events.after(last, SLICE_ROWS)) {
          const size = row.body === null ? 0 : (row.uncompressed_size ?? row.body.length);
          builder.add(row, size);
          last = row.seq;
          rows++;
          bytes += size;
          const isFull = rows === SLICE_ROWS || bytes >= SLICE_BYTES;
          isEnd = !isFull && builder.denseBlocks < SLICE_DENSE_BLOCKS;
          if (!isEnd) break;
        }
        builder.end();
        if (isEnd) last = Math.max(last, captured);
        if (last > watermark) this.#index.setWatermark(last);
      });
    } catch (error) {
      this.#grams.take();
      throw error;
    }
    return !isEnd;
  }

  /** Removes the blocks in which all events are deleted. Reports each tombstone once. */
  #bury(): void {
    const seqs = this.#events.deleted(SLICE_ROWS);
    if (seqs.length === 0) return;
    this.#index.write(() => {
      let lookedUpTo = 0;
      for (const seq of seqs) {
        if (seq <= lookedUpTo) continue;
        const block = this.#index.blockFrom(seq);
        if (!block) break;
        if (seq < block.first) continue;
        lookedUpTo = block.last;
        if (!this.#events.anyIn(block)) this.#index.removeBlock(block);
      }
    });
    this.#reports.buried(seqs);
  }

  #replaceIndex(): void {
    this.#isIndexBroken = false;
    this.#index.rebuild();
    this.#reports.rebuilt();
  }

  #end(): void {
    this.#events.close();
    this.#index.close();
    this.#onClosed();
  }
}

const data = workerData as IndexerData;
const port = data.port ?? (parentPort as MessagePort);
const crossing = new Crossing<IndexerReports, IndexerFunctions>(port, {});
const loop = new IndexLoop(data, crossing.tell.reports, () => port.close());
crossing.serve({ index: loop }, {});
loop.wake();
