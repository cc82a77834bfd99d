import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { HookrelayError } from '../../../core/errors.ts';
import { workerFile } from '../../../core/resource.ts';
import { packFailure, unpackFailure } from '../../../core/threads/failure-message.ts';
import type { SqliteStoreOptions } from '../sqlite-store.ts';
import { type Crossing, forwardedOperations } from './crossings.ts';
import { exitAfterLoad, newLoadFlag } from './exit-after-load.ts';
import type { WorkerOrder } from './relayed-worker.ts';
import { startWorker } from './start-worker.ts';
import type { StoreAnswer, StoreRequest, StoreThreadData } from './store-messages.ts';
import type { OperationName } from './store-operations.ts';

/** By default V8 lets a thread's young generation grow to 48 MiB. */
const LIMITS = { maxYoungGenerationSizeMb: 16 };

export type StoreThreadOptions = Omit<SqliteStoreOptions, 'clock' | 'startWorker'>;

interface Call {
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** The main thread's end of `store-worker.ts`. */
export class StoreThread {
  /** Each runs in the thread. Rejects with `not_ready` after `close`. */
  readonly operations = forwardedOperations((...call) => this.#call(...call));
  /** Rejects with what `openSqliteStore` throws. */
  readonly opened: Promise<{ generation: string }>;
  readonly #worker: Worker;
  readonly #options: StoreThreadOptions;
  readonly #calls = new Map<number, Call>();
  /** Workers that this thread started for the store's thread, by its numbers. */
  readonly #workers = new Map<number, Worker>();
  #lastId = 0;
  /** Until the store is open, a failure rejects `opened`. Null afterwards. */
  #opener: PromiseWithResolvers<{ generation: string }> | null;
  #ended = false;

  constructor(options: StoreThreadOptions) {
    this.#options = options;
    const opener = Promise.withResolvers<{ generation: string }>();
    this.#opener = opener;
    this.opened = opener.promise;
    const loaded = newLoadFlag();
    this.#worker = new Worker(workerFile('store-worker'), {
      workerData: { dataDir: options.dataDir, loaded } satisfies StoreThreadData,
      resourceLimits: LIMITS,
    });
    exitAfterLoad(this.#worker, loaded);
    this.#worker.on('message', (answer: StoreAnswer) => this.#onAnswer(answer));
    this.#worker.on('error', (error) => this.#fail(error as Error));
    this.#worker.on('exit', () => this.#fail(new Error('the thread of the store ended')));
  }

  async #call(operation: OperationName, crossing: Crossing, args: unknown[]): Promise<unknown> {
    if (this.#ended) throw closed();
    const last = args.at(-1);
    const signal = last instanceof AbortSignal ? last : undefined;
    signal?.throwIfAborted();
    const sent = signal ? args.slice(0, -1) : args;
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#calls.set(id, { resolve, reject });
    const cancellable = signal !== undefined;
    const memory = crossing.transferArguments?.(...sent);
    this.#post({ id, operation, args: sent, cancellable }, memory);
    signal?.addEventListener('abort', () => this.#cancel(id, signal.reason), { once: true });
    const answer = await promise;
    return crossing.revive ? crossing.revive(answer) : answer;
  }

  /** Closes the store after the calls under way are answered. */
  async close(): Promise<void> {
    const exited = once(this.#worker, 'exit');
    const done = this.operations.store.close();
    this.#ended = true;
    await done;
    await exited;
    for (const { reject } of this.#calls.values()) reject(closed());
  }

  #cancel(id: number, reason: unknown): void {
    const call = this.#calls.get(id);
    if (!call) return;
    this.#calls.delete(id);
    this.#post({ cancel: id });
    call.reject(reason);
  }

  #post(request: StoreRequest, handedOver: ArrayBuffer[] = []): void {
    this.#worker.postMessage(request, handedOver);
  }

  #onAnswer(answer: StoreAnswer): void {
    if ('log' in answer) this.#log(answer);
    else if ('fatal' in answer) this.#options.onFatal(unpackFailure(answer.fatal) as Error);
    else if ('order' in answer) this.#onOrder(answer.order);
    else if ('dropped' in answer) this.#options.onClaimsDropped?.(answer.dropped);
    else if ('cpuMs' in answer) this.#options.cpu?.charge(answer.account, answer.cpuMs);
    else if ('opened' in answer) {
      this.#opener?.resolve(answer.opened);
      this.#opener = null;
    } else if ('refused' in answer) {
      this.#ended = true;
      this.#worker.once('exit', () => this.#opener?.reject(unpackFailure(answer.refused)));
    } else {
      const call = this.#calls.get(answer.id);
      this.#calls.delete(answer.id);
      if ('failure' in answer) call?.reject(unpackFailure(answer.failure));
      else call?.resolve(answer.value);
    }
  }

  #log({ log, message, fields, error: packed }: Extract<StoreAnswer, { log: unknown }>): void {
    const error = unpackFailure(packed);
    this.#options.log[log](message, error === undefined ? fields : { ...fields, error });
  }

  #onOrder(order: WorkerOrder): void {
    if ('terminate' in order) {
      void this.#workers.get(order.terminate)?.terminate();
      return;
    }
    const { start, name, workerData, port } = order;
    const worker = startWorker(name, workerData, port);
    this.#workers.set(start, worker);
    let error: Error | null = null;
    worker.on('error', (thrown) => {
      error = thrown as Error;
    });
    worker.on('exit', () => {
      this.#workers.delete(start);
      this.#post({ ended: start, error: error && packFailure(error) });
    });
  }

  /** Operations under way may or may not have happened. */
  #fail(error: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const { reject } of this.#calls.values()) reject(error);
    this.#calls.clear();
    if (this.#opener) this.#opener.reject(error);
    else this.#options.onFatal(error);
  }
}

function closed(): HookrelayError {
  return new HookrelayError('not_ready', 'the server is shutting down');
}
