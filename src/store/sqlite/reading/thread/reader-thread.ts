import { HookrelayError } from '../../../../core/errors.ts';
import { unpackFailure } from '../../../../core/threads/failure-message.ts';
import type { CpuCharges } from '../../../../core/turns/cpu-use.ts';
import type { StartWorker, WorkerThread } from '../../thread/start-worker.ts';
import type { ReaderAnswer, ReaderData, ReaderMessage, ReaderRequest } from './reader-messages.ts';

/** Most reads at once. Each has a connection and slows the others. */
const MAX_CONCURRENT = 8;
/** Most reads that wait for their turn. Further reads get `overloaded`. */
const MAX_WAITING = 64;
/** Time that a read has to end once nobody waits for it, ms. Its thread is killed then. */
const GIVES_UP_MS = 2000;

interface Call {
  request: ReaderRequest;
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
  signal: AbortSignal | undefined;
}

export interface ReaderThreadOptions {
  data: ReaderData;
  startWorker: StartWorker;
  /** Gets the inode of an index file that a search couldn't use. */
  onBrokenIndex(inode: number): void;
  /** Charges the accounts that own what is read. */
  cpu?: CpuCharges | undefined;
}

/** The server's end of `reader-worker.ts`: a thread that starts with its first read. */
export class ReaderThread {
  readonly #options: ReaderThreadOptions;
  readonly #running = new Map<number, Call>();
  readonly #waiting: Call[] = [];
  #worker: WorkerThread | undefined;
  #lastId = 0;
  #closed = false;

  constructor(options: ReaderThreadOptions) {
    this.#options = options;
  }

  /** Throws `overloaded` and `not_ready`. Rejects with the signal's reason. */
  call<T>(request: ReaderRequest, signal?: AbortSignal): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const call: Call = { request, resolve, reject, signal };
      if (signal?.aborted) reject(signal.reason);
      else if (this.#closed) reject(new HookrelayError('not_ready', 'the server is shutting down'));
      else if (this.#running.size < MAX_CONCURRENT) this.#start(call);
      else if (this.#waiting.length < MAX_WAITING) this.#wait(call);
      else {
        reject(
          new HookrelayError('overloaded', 'too many searches at once', {
            retryAfterS: 2,
          }),
        );
      }
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#worker?.terminate();
    this.#failAll(new HookrelayError('not_ready', 'the server is shutting down'));
  }

  #wait(call: Call): void {
    this.#waiting.push(call);
    call.signal?.addEventListener(
      'abort',
      () => {
        const at = this.#waiting.indexOf(call);
        if (at === -1) return;
        this.#waiting.splice(at, 1);
        call.reject(call.signal?.reason);
      },
      { once: true },
    );
  }

  #start(call: Call): void {
    const id = ++this.#lastId;
    this.#running.set(id, call);
    const worker = this.#ensureWorker();
    call.signal?.addEventListener(
      'abort',
      () => {
        if (!this.#running.has(id)) return;
        worker.postMessage({ id, cancel: true } satisfies ReaderMessage);
        call.reject(call.signal?.reason);
        setTimeout(() => this.#giveUp(worker, id), GIVES_UP_MS).unref();
      },
      { once: true },
    );
    worker.postMessage({ id, request: call.request } satisfies ReaderMessage);
  }

  #ensureWorker(): WorkerThread {
    if (this.#worker) return this.#worker;
    const worker = this.#options.startWorker('reader-worker', this.#options.data);
    worker.on('message', (answer: ReaderAnswer) => {
      if (worker !== this.#worker) return;
      if ('brokenIndex' in answer) this.#options.onBrokenIndex(answer.brokenIndex);
      else if ('cpuMs' in answer) this.#options.cpu?.charge(answer.account, answer.cpuMs);
      else this.#answer(answer);
    });
    // The reads of a dead thread fail. The next read starts another thread.
    worker.on('error', (error) => {
      if (worker !== this.#worker) return;
      this.#worker = undefined;
      this.#failAll(error);
    });
    this.#worker = worker;
    return worker;
  }

  /** Kills the thread where a read that nobody waits for holds it. The other reads begin again. */
  #giveUp(worker: WorkerThread, id: number): void {
    if (worker !== this.#worker || !this.#running.has(id)) return;
    this.#worker = undefined;
    void worker.terminate();
    const others = [...this.#running.values()].filter(({ signal }) => !signal?.aborted);
    this.#running.clear();
    for (const call of others) this.#start(call);
    this.#next();
  }

  #answer(answer: Extract<ReaderAnswer, { id: number }>): void {
    const call = this.#running.get(answer.id);
    this.#running.delete(answer.id);
    if (call && 'failure' in answer) call.reject(unpackFailure(answer.failure));
    else if (call && 'value' in answer) call.resolve(answer.value as never);
    this.#next();
  }

  #next(): void {
    while (this.#running.size < MAX_CONCURRENT) {
      const call = this.#waiting.shift();
      if (!call) return;
      this.#start(call);
    }
  }

  #failAll(error: unknown): void {
    const calls = [...this.#running.values(), ...this.#waiting.splice(0)];
    this.#running.clear();
    for (const call of calls) call.reject(error);
  }
}
