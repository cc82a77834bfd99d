import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { HookrelayError } from '../../../core/errors.ts';
import { Crossing } from '../../../core/threads/crossing.ts';
import { packFailure, unpackFailure } from '../../../core/threads/failure-message.ts';
import { databaseFile, searchFile } from '../files/data-files.ts';
import { ReadingThreads } from '../reader-thread/reader.ts';
import type { SqliteStoreOptions } from '../sqlite-store.ts';
import { startWorker } from '../threads/start-worker.ts';
import {
  MAIN_WAYS,
  type MainFunctions,
  STORE_WAYS,
  type StoreFunctions,
} from './store-functions.ts';

/** The largest size of the thread's young generation, MiB. */
const YOUNG_MIB = 16;

export type StoreThreadOptions = Omit<SqliteStoreOptions, 'clock' | 'startWorker' | 'reader'>;

/** The main thread's handle on `store-worker.ts`. It also has the reader's threads. */
export class StoreThread {
  /** Resolves with the database's generation. Rejects with what `openSqliteStore` throws. */
  readonly opened: Promise<string>;
  readonly #worker: Worker;
  readonly #crossing: Crossing<StoreFunctions, MainFunctions>;
  readonly #reader: ReadingThreads;
  readonly #options: StoreThreadOptions;
  /** Until the store is open, a failure rejects `opened`. Null when the store is open. */
  #opener: PromiseWithResolvers<string> | null;
  #ended = false;

  constructor(options: StoreThreadOptions) {
    const { dataDir, cpu } = options;
    this.#options = options;
    const opener = Promise.withResolvers<string>();
    this.#opener = opener;
    this.opened = opener.promise;
    this.#worker = startWorker('store-worker', { dataDir }, { youngMib: YOUNG_MIB });
    this.#worker.on('error', (error) => this.#fail(error as Error));
    this.#worker.on('exit', () => this.#fail(new Error('the thread of the store ended')));
    this.#crossing = new Crossing(this.#worker, STORE_WAYS);
    this.#reader = new ReadingThreads({
      data: { file: databaseFile(dataDir), searchFile: searchFile(dataDir) },
      startWorker,
      onBrokenIndex: (inode) => this.#crossing.tell.indexer.rebuild(inode),
      cpu,
    });
    this.#crossing.serve(this.#functions(), MAIN_WAYS);
  }

  /** Each operation runs in the thread. It rejects with `not_ready` after `close`. */
  get operations() {
    return this.#crossing.ask;
  }

  get reads() {
    return this.#reader.reads;
  }

  /** Closes the store after the running operations have been answered. */
  async close(): Promise<void> {
    const exited = once(this.#worker, 'exit');
    const closing = this.operations.store.close();
    this.#end();
    try {
      await closing;
    } finally {
      this.#crossing.tell.threads.end();
    }
    await exited;
    this.#crossing.rejectAll(closed());
  }

  #functions(): MainFunctions {
    const { log, onFatal, onClaimsDropped } = this.#options;
    return {
      ...this.#reader.reads,
      reader: this.#reader,
      main: {
        opened: (generation) => {
          this.#opener?.resolve(generation);
          this.#opener = null;
        },
        refused: (failure) => {
          this.#end();
          this.#worker.once('exit', () => this.#opener?.reject(unpackFailure(failure)));
        },
        fatal: (failure) => onFatal(unpackFailure(failure) as Error),
        log: (level, message, fields, failure) => {
          const error = unpackFailure(failure);
          log[level](message, error === undefined ? fields : { ...fields, error });
        },
        claimsDropped: (deliveryIds) => onClaimsDropped?.(deliveryIds),
        startWorker: (...started) => this.#startWorker(...started),
      },
    };
  }

  #startWorker(...[id, name, data, port]: Parameters<MainFunctions['main']['startWorker']>): void {
    const worker = startWorker(name, data, { port });
    let error: Error | null = null;
    worker.on('error', (thrown) => {
      error = thrown as Error;
    });
    worker.on('exit', () => this.#crossing.tell.threads.ended(id, error && packFailure(error)));
  }

  #end(): void {
    this.#ended = true;
    this.#crossing.refuse(closed());
  }

  /** Rejects the running operations. Nobody knows whether they have happened. */
  #fail(error: Error): void {
    if (this.#ended) return;
    this.#end();
    this.#crossing.rejectAll(error);
    if (this.#opener) this.#opener.reject(error);
    else this.#options.onFatal(error);
  }
}

function closed(): HookrelayError {
  return new HookrelayError('not_ready', 'the server is shutting down');
}
