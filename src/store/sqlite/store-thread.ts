import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { HookrelayError } from '../../core/errors.ts';
import type { CapturedRequest } from '../../core/model.ts';
import { workerFile } from '../../core/resource.ts';
import type {
  AccountStore,
  AppendBatchResult,
  ClaimTerms,
  EndpointStore,
  EventContent,
  EventStore,
  LiveStore,
  QueueStore,
  ReplayStore,
  Store,
  StoreStats,
  UpkeepStore,
} from '../store.ts';
import { type PackedResult, packRequests, unpackResult } from './append-message.ts';
import type { SqliteStoreOptions } from './sqlite-store.ts';
import {
  type StoreAnswer,
  type StorePart,
  type StoreRequest,
  type StoreThreadData,
  unpackFailure,
} from './store-messages.ts';

/** V8 would let the thread's young objects grow to 48 MiB before it looks at them. */
const LIMITS = { maxYoungGenerationSizeMb: 16 };

export type StoreThreadOptions = Omit<SqliteStoreOptions, 'clock'>;

interface Call {
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
}

/**
 * Opens the SQLite store in a thread of its own. A commit takes a millisecond or
 * more, most of it waiting for the disk: here, requests are read and answered
 * meanwhile, and nothing that a statement costs delays them.
 *
 * Throws what `openSqliteStore` throws.
 */
export async function openSqliteStoreThread(options: StoreThreadOptions): Promise<Store> {
  // SQLite makes its files with the process's mask, and they hold everyone's payloads.
  process.umask(0o077);
  const store = new StoreThread(options);
  await store.opened;
  return store;
}

/** A store whose methods run in the thread behind `store-worker.ts`. */
class StoreThread implements Store {
  generation = '';
  readonly opened: Promise<void>;
  readonly accounts = this.#part<AccountStore>('accounts');
  readonly endpoints = this.#part<EndpointStore>('endpoints');
  readonly replays = this.#part<ReplayStore>('replays');
  readonly live = this.#part<LiveStore>('live');
  readonly upkeep = this.#part<UpkeepStore>('upkeep');
  readonly events: EventStore;
  readonly queue: QueueStore;
  readonly #worker: Worker;
  readonly #options: StoreThreadOptions;
  readonly #calls = new Map<number, Call>();
  #lastId = 0;
  /** Before it is open, a failure is the caller's to hear of. */
  #whenOpened: Call | null = null;
  #ended = false;

  constructor(options: StoreThreadOptions) {
    this.#options = options;
    this.#worker = new Worker(workerFile('store-worker'), {
      workerData: { dataDir: options.dataDir } satisfies StoreThreadData,
      resourceLimits: LIMITS,
    });
    this.opened = new Promise<void>((resolve, reject) => {
      this.#whenOpened = { resolve, reject };
    });
    const events = this.#part<EventStore>('events');
    const queue = this.#part<QueueStore>('queue');
    this.events = Object.assign(events, {
      appendBatch: (requests: readonly CapturedRequest[], terms: ClaimTerms) =>
        this.#appendBatch(requests, terms),
      content: withBuffer(events.content),
    });
    const { begin } = queue;
    this.queue = Object.assign(queue, {
      begin: async (...args: Parameters<QueueStore['begin']>) =>
        (await begin(...args)).map((outgoing) => outgoing && bufferBody(outgoing)),
    });
    this.#worker.on('message', (answer: StoreAnswer) => this.#onAnswer(answer));
    this.#worker.on('error', (error) => this.#fail(error as Error));
    this.#worker.on('exit', () => this.#fail(new Error('the thread of the store ended')));
  }

  claimSecret(checkValue: string): Promise<boolean> {
    return this.#call(null, 'claimSecret', [checkValue]);
  }

  checkWritable(): Promise<void> {
    return this.#call(null, 'checkWritable', []);
  }

  stats(now: number): Promise<StoreStats> {
    return this.#call(null, 'stats', [now]);
  }

  async close(): Promise<void> {
    const exited = once(this.#worker, 'exit');
    const done = this.#call(null, 'close', []);
    this.#ended = true;
    await done;
    await exited;
    for (const { reject } of this.#calls.values()) reject(closed());
  }

  async #appendBatch(
    requests: readonly CapturedRequest[],
    terms: ClaimTerms,
  ): Promise<AppendBatchResult> {
    const packed = packRequests(requests);
    const result = await this.#call<PackedResult>(
      'events',
      'appendBatch',
      [packed, terms],
      [packed.bodies.buffer],
    );
    return unpackResult(requests, result);
  }

  /** A part of the contract, each of its methods a call of the same name in the thread. */
  #part<T extends object>(part: StorePart): T {
    return new Proxy({} as T, {
      get: (made, method) => {
        const own = Reflect.get(made, method);
        if (own !== undefined || typeof method === 'symbol') return own;
        const call = (...args: unknown[]) => this.#call(part, method, args);
        Reflect.set(made, method, call);
        return call;
      },
    });
  }

  #call<T>(
    part: StorePart | null,
    method: string,
    args: unknown[],
    handedOver: ArrayBuffer[] = [],
  ): Promise<T> {
    if (this.#ended) return Promise.reject(closed());
    const signal = args.at(-1) instanceof AbortSignal ? (args.at(-1) as AbortSignal) : undefined;
    if (signal?.aborted) return Promise.reject(signal.reason);
    const id = ++this.#lastId;
    return new Promise<T>((resolve, reject) => {
      this.#calls.set(id, { resolve, reject });
      this.#post(
        {
          id,
          part,
          method,
          args: signal ? args.slice(0, -1) : args,
          cancellable: signal !== undefined,
        },
        handedOver,
      );
      signal?.addEventListener('abort', () => this.#cancel(id, signal.reason), { once: true });
    });
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
    if ('log' in answer) this.#options.log[answer.log](answer.message, answer.fields);
    else if ('fatal' in answer) this.#options.onFatal(answer.fatal);
    else if ('opened' in answer) {
      this.generation = answer.opened.generation;
      this.#whenOpened?.resolve(undefined as never);
      this.#whenOpened = null;
    } else if ('refused' in answer) {
      this.#ended = true;
      this.#worker.once('exit', () => this.#whenOpened?.reject(unpackFailure(answer.refused)));
    } else {
      const call = this.#calls.get(answer.id);
      this.#calls.delete(answer.id);
      if ('failure' in answer) call?.reject(unpackFailure(answer.failure));
      else call?.resolve(answer.value as never);
    }
  }

  /** Whatever the thread had under way may or may not have happened. */
  #fail(error: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const { reject } of this.#calls.values()) reject(error);
    this.#calls.clear();
    if (this.#whenOpened) this.#whenOpened.reject(error);
    else this.#options.onFatal(error);
  }
}

/** Buffers arrive as the plain byte arrays that they are views of. */
function bufferBody<T extends EventContent>(content: T): T {
  const { buffer, byteOffset, byteLength } = content.body;
  return { ...content, body: Buffer.from(buffer, byteOffset, byteLength) };
}

function withBuffer(content: EventStore['content']): EventStore['content'] {
  return async (seq) => {
    const found = await content(seq);
    return found && bufferBody(found);
  };
}

function closed(): HookrelayError {
  return new HookrelayError('not_ready', 'the server is shutting down');
}
