import type { Database } from 'better-sqlite3';
import type { Logger } from '../../../core/runtime.ts';
import type { StartWorker, WorkerThread } from '../thread/start-worker.ts';
import type { Writer } from '../writing/writer.ts';
import type { IndexerAnswer, IndexerData, IndexerMessage } from './index-worker.ts';
import { tidySearchIndex } from './search-index.ts';

/** Time in which commits share one wake-up of the indexer, ms. More events then fill its blocks. */
const WAKE_DELAY_MS = 250;
/** Wait before a dead indexer is started again, ms. Meanwhile searches scan. */
const RESTART_DELAY_MS = 5000;

/**
 * Runs and wakes the thread of `index-worker.ts`. The thread runs from `start` or from the
 * first `wake` on.
 */
export class Indexer {
  readonly #data: IndexerData;
  readonly #startWorker: StartWorker;
  readonly #db: Database;
  readonly #writer: Writer;
  readonly #log: Logger;
  #worker: WorkerThread | undefined;
  #wakeTimer: NodeJS.Timeout | undefined;
  #restartTimer: NodeJS.Timeout | undefined;
  #rebuilding = false;
  #closing = false;

  constructor(
    data: IndexerData,
    startWorker: StartWorker,
    db: Database,
    writer: Writer,
    log: Logger,
  ) {
    this.#data = data;
    this.#startWorker = startWorker;
    this.#db = db;
    this.#writer = writer;
    this.#log = log;
  }

  /** Starts the thread, which indexes what its index lacks. A dead thread waits for its restart. */
  start(): void {
    if (!this.#worker && !this.#restartTimer) this.#start();
  }

  /** Call it after every commit that captures or deletes events. It is cheap. */
  wake(): void {
    this.#wakeTimer ??= setTimeout(() => {
      this.#wakeTimer = undefined;
      if (this.#worker) this.#worker.postMessage('wake' satisfies IndexerMessage);
      else this.start();
    }, WAKE_DELAY_MS).unref();
  }

  /** Replaces an unreadable index file and rebuilds the index. Meanwhile searches scan. */
  rebuild(inode: number): void {
    if (this.#rebuilding) return;
    this.#rebuilding = true;
    this.#log.warn('the search index is broken; it is rebuilt');
    this.start();
    this.#worker?.postMessage({ broken: inode } satisfies IndexerMessage);
  }

  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#wakeTimer);
    clearTimeout(this.#restartTimer);
    const worker = this.#worker;
    if (!worker) {
      tidySearchIndex(this.#data.searchFile, this.#data.generation);
      return;
    }
    worker.ref();
    const exited = new Promise<void>((resolve) => worker.once('exit', resolve));
    worker.postMessage('close' satisfies IndexerMessage);
    await exited;
  }

  #start(): void {
    const worker = this.#startWorker('index-worker', this.#data);
    worker.on('message', (answer: IndexerAnswer) => {
      if (answer === 'rebuilt') this.#rebuilding = false;
      if (typeof answer === 'string' || this.#closing) return;
      void this.#dropTombstones(answer.tombstones);
    });
    worker.on('error', (error) => {
      this.#worker = undefined;
      this.#rebuilding = false;
      this.#log.error('the search indexer stopped; searches scan until it is back', { error });
      if (this.#closing) return;
      this.#restartTimer = setTimeout(() => {
        this.#restartTimer = undefined;
        this.#start();
      }, RESTART_DELAY_MS).unref();
    });
    worker.unref();
    this.#worker = worker;
  }

  async #dropTombstones(seqs: number[]): Promise<void> {
    const drop = this.#db.prepare(
      'DELETE FROM search_tombstones WHERE seq IN (SELECT value FROM json_each(?))',
    );
    try {
      await this.#writer.write(() => drop.run(JSON.stringify(seqs)));
      this.wake();
    } catch (error) {
      // The tombstones stay and are applied again, which changes nothing.
      this.#log.warn('search tombstones could not be deleted', {
        reason: String(error),
      });
    }
  }
}
