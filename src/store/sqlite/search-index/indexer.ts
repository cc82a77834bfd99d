import type { MessagePort } from 'node:worker_threads';
import type { Database } from 'better-sqlite3';
import type { Logger } from '../../../core/runtime/runtime.ts';
import { Crossing } from '../../../core/threads/crossing.ts';
import type { Writer } from '../files/writer.ts';
import type { StartWorker, WorkerThread } from '../threads/start-worker.ts';
import { tidySearchIndex } from './search-index.ts';

/**
 * The wait before the indexer is woken, ms. Commits in this time share one wake-up, so that blocks
 * become full.
 */
const WAKE_DELAY_MS = 250;
/** The wait before a dead thread is restarted, ms. Searches scan during this time. */
const RESTART_DELAY_MS = 5000;

export interface IndexerData {
  file: string;
  searchFile: string;
  generation: string;
  /** The port of the thread that uses this thread, if another thread starts it. */
  port?: MessagePort;
}

export interface IndexerFunctions {
  index: {
    /** Call it after commits. */
    wake(): void;
    /** Call it if a search can't read the index file with this inode. */
    rebuild(inode: number): void;
    close(): void;
  };
}

export interface IndexerReports {
  reports: {
    /** Reports that the index doesn't contain these deleted events. */
    buried(seqs: number[]): void;
    rebuilt(): void;
  };
}

interface Thread {
  worker: WorkerThread;
  index: IndexerFunctions['index'];
}

/** Runs the thread of `index-worker.ts`, which starts with `start` or the first `wake`. */
export class Indexer {
  readonly #data: IndexerData;
  readonly #startWorker: StartWorker;
  readonly #db: Database;
  readonly #writer: Writer;
  readonly #log: Logger;
  #thread: Thread | undefined;
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

  /** Starts the thread, unless it runs or is about to restart. It indexes the missing events. */
  start(): void {
    if (!this.#thread && !this.#restartTimer) this.#start();
  }

  /** Call it after every commit that captures or deletes events. It is cheap. */
  wake(): void {
    this.#wakeTimer ??= setTimeout(() => {
      this.#wakeTimer = undefined;
      if (this.#thread) this.#thread.index.wake();
      else this.start();
    }, WAKE_DELAY_MS).unref();
  }

  /** Replaces an unreadable index file and rebuilds the index. Until then, searches scan. */
  rebuild(inode: number): void {
    if (this.#rebuilding) return;
    this.#rebuilding = true;
    this.#log.warn('the search index is broken and is being rebuilt');
    this.start();
    this.#thread?.index.rebuild(inode);
  }

  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#wakeTimer);
    clearTimeout(this.#restartTimer);
    if (!this.#thread) {
      tidySearchIndex(this.#data.searchFile, this.#data.generation);
      return;
    }
    const { worker, index } = this.#thread;
    worker.ref();
    const exited = new Promise<void>((resolve) => worker.once('exit', resolve));
    index.close();
    await exited;
  }

  #start(): void {
    const worker = this.#startWorker('index-worker', this.#data);
    const crossing = new Crossing<IndexerFunctions, IndexerReports>(worker, {});
    const reports: IndexerReports['reports'] = {
      rebuilt: () => {
        this.#rebuilding = false;
      },
      buried: (seqs) => {
        if (!this.#closing) void this.#dropTombstones(seqs);
      },
    };
    crossing.serve({ reports }, {});
    worker.on('error', (error) => {
      this.#thread = undefined;
      this.#rebuilding = false;
      this.#log.error('the search indexer stopped; searches scan all events until it runs again', {
        error,
      });
      if (this.#closing) return;
      this.#restartTimer = setTimeout(() => {
        this.#restartTimer = undefined;
        this.#start();
      }, RESTART_DELAY_MS).unref();
    });
    worker.unref();
    this.#thread = { worker, index: crossing.tell.index };
  }

  async #dropTombstones(seqs: number[]): Promise<void> {
    const drop = this.#db.prepare(
      'DELETE FROM search_tombstones WHERE seq IN (SELECT value FROM json_each(?))',
    );
    try {
      await this.#writer.write(() => drop.run(JSON.stringify(seqs)));
      this.wake();
    } catch (error) {
      // The tombstones stay. The thread applies them again, which does no harm.
      this.#log.warn('search tombstones could not be deleted', {
        reason: String(error),
      });
    }
  }
}
