import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { HookrelayError } from '../../../core/errors.ts';
import { workerFile } from '../../../core/resource.ts';
import type { SqliteStoreOptions } from '../sqlite-store.ts';
import { exitAfterLoad, newLoadFlag } from './exit-after-load.ts';
import { packFailure, unpackFailure } from './failure-message.ts';
import type { WorkerOrder } from './relayed-worker.ts';
import { startWorker } from './start-worker.ts';
import type { StoreAnswer, StorePart, StoreRequest, StoreThreadData } from './store-messages.ts';

/** V8 would let the thread's young objects grow to 48 MiB before it looks at them. */
const LIMITS = { maxYoungGenerationSizeMb: 16 };

export type StoreThreadOptions = Omit<SqliteStoreOptions, 'clock' | 'startWorker'>;

interface Call {
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
}

/** The main thread's end of `store-worker.ts`: calls a store's methods there, by name. */
export class StoreThread {
  /** Rejects with what `openSqliteStore` throws. */
  readonly opened: Promise<{ generation: string }>;
  readonly #worker: Worker;
  readonly #options: StoreThreadOptions;
  readonly #calls = new Map<number, Call>();
  /** Those started for the thread, by its numbers. */
  readonly #workers = new Map<number, Worker>();
  #lastId = 0;
  /** Before it is open, a failure is the opener's to hear of. */
  #opener: Call | null = null;
  #ended = false;

  constructor(options: StoreThreadOptions) {
    this.#options = options;
    const loaded = newLoadFlag();
    this.#worker = new Worker(workerFile('store-worker'), {
      workerData: { dataDir: options.dataDir, loaded } satisfies StoreThreadData,
      resourceLimits: LIMITS,
    });
    exitAfterLoad(this.#worker, loaded);
    this.opened = new Promise((resolve, reject) => {
      this.#opener = { resolve, reject };
    });
    this.#worker.on('message', (answer: StoreAnswer) => this.#onAnswer(answer));
    this.#worker.on('error', (error) => this.#fail(error as Error));
    this.#worker.on('exit', () => this.#fail(new Error('the thread of the store ended')));
  }

  /** A part of the store, or its own methods: each a call of that name in the thread. */
  part<T extends object>(part: StorePart | null): T {
    return new Proxy({} as T, {
      get: (made, method) => {
        const own = Reflect.get(made, method);
        if (own !== undefined || typeof method === 'symbol') return own;
        const call = (...args: unknown[]) => this.call(part, method, args);
        Reflect.set(made, method, call);
        return call;
      },
    });
  }

  /**
   * @param args the last may be a signal, which cancels the call
   * @param handedOver memory that the thread takes over, instead of a copy
   */
  call<T>(
    part: StorePart | null,
    method: string,
    args: unknown[],
    handedOver: ArrayBuffer[] = [],
  ): Promise<T> {
    if (this.#ended) return Promise.reject(closed());
    const last = args.at(-1);
    const signal = last instanceof AbortSignal ? last : undefined;
    if (signal?.aborted) return Promise.reject(signal.reason);
    const id = ++this.#lastId;
    return new Promise<T>((resolve, reject) => {
      this.#calls.set(id, { resolve, reject });
      const sent = signal ? args.slice(0, -1) : args;
      this.#post({ id, part, method, args: sent, cancellable: signal !== undefined }, handedOver);
      signal?.addEventListener('abort', () => this.#cancel(id, signal.reason), { once: true });
    });
  }

  /** Closes the store; calls under way are answered first. */
  async close(): Promise<void> {
    const exited = once(this.#worker, 'exit');
    const done = this.call(null, 'close', []);
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
    else if ('opened' in answer) {
      this.#opener?.resolve(answer.opened as never);
      this.#opener = null;
    } else if ('refused' in answer) {
      this.#ended = true;
      this.#worker.once('exit', () => this.#opener?.reject(unpackFailure(answer.refused)));
    } else {
      const call = this.#calls.get(answer.id);
      this.#calls.delete(answer.id);
      if ('failure' in answer) call?.reject(unpackFailure(answer.failure));
      else call?.resolve(answer.value as never);
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

  /** Whatever the thread had under way may or may not have happened. */
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
