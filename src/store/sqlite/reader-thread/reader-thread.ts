import { HookrelayError } from '../../../core/errors.ts';
import { Crossing } from '../../../core/threads/crossing.ts';
import type { CpuCharges } from '../../../core/turns/cpu-use.ts';
import type { EndableThread, StartWorker } from '../threads/start-worker.ts';
import { READS, type Reads } from './reads.ts';

/** The largest number of reads at once. Each needs a connection and slows the others. */
const MAX_CONCURRENT = 8;
/** The largest number of waiting reads. Any further read gets `overloaded`. */
const MAX_WAITING = 64;
/** How long an aborted read may continue before its thread is killed, ms. */
const GIVES_UP_MS = 2000;

export interface ReaderData {
  file: string;
  searchFile: string;
}

/** The functions that the reader's thread calls here. */
export interface ReaderReports {
  reports: {
    /** Reports that the index file with this inode is broken. */
    brokenIndex(inode: number): void;
    /** Charges an account for the CPU time of reading its events. */
    charge(account: string, cpuMs: number): void;
  };
}

interface Call {
  part: string;
  name: string;
  args: unknown[];
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
  signal: AbortSignal | undefined;
}

interface Thread {
  worker: EndableThread;
  crossing: Crossing<Reads, ReaderReports>;
}

export interface ReaderThreadOptions {
  data: ReaderData;
  startWorker: StartWorker<EndableThread>;
  onBrokenIndex(inode: number): void;
  cpu?: CpuCharges | undefined;
}

/** Runs reads in the thread of `reader-worker.ts`, which starts with the first read. */
export class ReaderThread {
  readonly #options: ReaderThreadOptions;
  readonly #running = new Set<Call>();
  readonly #waiting: Call[] = [];
  #thread: Thread | undefined;
  #closed = false;

  constructor(options: ReaderThreadOptions) {
    this.#options = options;
  }

  /** Runs a read. Throws `overloaded` and `not_ready`. Rejects with the signal's reason. */
  call(part: string, name: string, args: unknown[], signal?: AbortSignal): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const call: Call = { part, name, args, resolve, reject, signal };
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
    await this.#thread?.worker.terminate();
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
    this.#running.add(call);
    const thread = this.#ensureThread();
    const { part, name, args, signal, resolve, reject } = call;
    signal?.addEventListener(
      'abort',
      () => {
        if (!this.#running.has(call)) return;
        reject(signal.reason);
        setTimeout(() => this.#giveUp(thread, call), GIVES_UP_MS).unref();
      },
      { once: true },
    );
    const onEnd = (settle: (outcome: unknown) => void) => (outcome: unknown) => {
      if (thread !== this.#thread) return;
      this.#running.delete(call);
      settle(outcome);
      this.#next();
    };
    thread.crossing.call(part, name, args, signal).then(onEnd(resolve), onEnd(reject));
  }

  #ensureThread(): Thread {
    if (this.#thread) return this.#thread;
    const { data, startWorker, onBrokenIndex, cpu } = this.#options;
    const worker = startWorker('reader-worker', data);
    const crossing = new Crossing<Reads, ReaderReports>(worker, READS);
    const charge = (account: string, cpuMs: number) => cpu?.charge(account, cpuMs);
    crossing.serve({ reports: { brokenIndex: onBrokenIndex, charge } }, {});
    const thread = { worker, crossing };
    // The reads of a dead thread fail. The next read starts a new thread.
    worker.on('error', (error) => {
      if (thread !== this.#thread) return;
      this.#thread = undefined;
      this.#failAll(error);
    });
    this.#thread = thread;
    return thread;
  }

  /** Kills a thread that an aborted read still occupies. The other reads start again. */
  #giveUp(thread: Thread, call: Call): void {
    if (thread !== this.#thread || !this.#running.has(call)) return;
    this.#thread = undefined;
    void thread.worker.terminate();
    const others = [...this.#running].filter(({ signal }) => !signal?.aborted);
    this.#running.clear();
    for (const other of others) this.#start(other);
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
    const calls = [...this.#running, ...this.#waiting.splice(0)];
    this.#running.clear();
    for (const call of calls) call.reject(error);
  }
}
