import { Worker } from 'node:worker_threads';
import { HookrelayError } from '../../core/errors.ts';
import { workerFile } from '../../core/resource.ts';
import type { PayloadTypes, TypesRequest } from './payload-types.ts';
import type { TypesAnswer, TypesMessage } from './types-worker.ts';

/** Deadline of one payload's types, ms, from the moment the thread is ready. 10 MB take about 1 s. */
const DEADLINE_MS = 15_000;
/** Requests that may wait for the thread; each holds a body. More get `overloaded`. */
const MAX_WAITING = 16;
/** Time that the idle thread is kept, ms. quicktype holds about 28 MB. */
const IDLE_MS = 60_000;
/** Memory for two bytes per character of the body and a shape of 50,000 members. */
const WORKER_LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 };

interface Job {
  request: TypesRequest;
  resolve: (types: PayloadTypes) => void;
  reject: (error: unknown) => void;
  signal: AbortSignal | undefined;
}

/**
 * The server's end of `types-worker.ts`. Requests run one at a time, in order. The
 * thread starts at the first request, ends when idle, and is killed when a payload
 * takes too long. quicktype's memory and time thus never burden the server's
 * thread.
 *
 * The thread keeps a process alive only while somebody waits for its work.
 */
export class TypeGenerator {
  readonly #deadlineMs: number;
  readonly #idleMs: number;
  readonly #waiting: Job[] = [];
  #worker: Worker | undefined;
  #isReady = false;
  #running: { id: number; job: Job; deadline?: NodeJS.Timeout } | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;

  constructor({ deadlineMs = DEADLINE_MS, idleMs = IDLE_MS } = {}) {
    this.#deadlineMs = deadlineMs;
    this.#idleMs = idleMs;
  }

  /**
   * Throws `overloaded` when too many wait, `ai_unavailable` when the payload
   * takes too long or too much memory, and the signal's reason.
   */
  types(request: TypesRequest, signal?: AbortSignal): Promise<PayloadTypes> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      if (this.#waiting.length >= MAX_WAITING) {
        reject(
          new HookrelayError('overloaded', 'too many schemas are being made', { retryAfterS: 2 }),
        );
        return;
      }
      const job: Job = { request, resolve, reject, signal };
      this.#waiting.push(job);
      // A running job goes on: it is short, or the deadline ends it.
      signal?.addEventListener(
        'abort',
        () => {
          const at = this.#waiting.indexOf(job);
          if (at !== -1) this.#waiting.splice(at, 1);
          // Nobody waits for the job, so it must not keep the process alive.
          if (this.#running?.job === job) this.#letGo();
          reject(signal.reason);
        },
        { once: true },
      );
      this.#next();
    });
  }

  /** Ends the thread and rejects all jobs. A later request starts another thread. */
  async close(): Promise<void> {
    const jobs = [this.#running?.job, ...this.#waiting.splice(0)];
    const stopping = this.#stop();
    for (const job of jobs) {
      job?.reject(new HookrelayError('not_ready', 'the server is shutting down'));
    }
    await stopping;
  }

  #next(): void {
    if (this.#running) return;
    const job = this.#waiting.shift();
    if (!job) {
      if (this.#worker) this.#startIdling();
      return;
    }
    clearTimeout(this.#idle);
    const id = ++this.#lastId;
    const worker = this.#ensureWorker();
    this.#running = { id, job };
    worker.ref();
    worker.postMessage({ id, request: job.request } satisfies TypesMessage);
    if (this.#isReady) this.#startDeadline(worker);
  }

  #startDeadline(worker: Worker): void {
    const running = this.#running;
    if (!running) return;
    running.deadline = setTimeout(() => this.#fail(worker, tooLong()), this.#deadlineMs);
    if (running.job.signal?.aborted) this.#letGo();
  }

  #letGo(): void {
    this.#worker?.unref();
    this.#running?.deadline?.unref();
  }

  #ensureWorker(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(workerFile('types-worker'), { resourceLimits: WORKER_LIMITS });
    worker.on('message', (answer: TypesAnswer) => {
      if (worker !== this.#worker) return;
      if (answer !== 'ready') this.#settle(answer);
      else {
        this.#isReady = true;
        this.#startDeadline(worker);
      }
    });
    worker.on('error', (error) => this.#fail(worker, gaveOut(error)));
    this.#worker = worker;
    return worker;
  }

  #settle(answer: Exclude<TypesAnswer, 'ready'>): void {
    const running = this.#running;
    if (running?.id !== answer.id) return;
    clearTimeout(running.deadline);
    this.#running = undefined;
    if ('types' in answer) running.job.resolve(answer.types);
    else running.job.reject(new Error(answer.error));
    this.#next();
  }

  /** Rejects the running job and ends the thread. The next job starts another one. */
  #fail(worker: Worker, error: unknown): void {
    if (worker !== this.#worker) return;
    const job = this.#running?.job;
    void this.#stop();
    job?.reject(error);
    this.#next();
  }

  async #stop(): Promise<void> {
    const worker = this.#worker;
    clearTimeout(this.#running?.deadline);
    clearTimeout(this.#idle);
    this.#worker = undefined;
    this.#isReady = false;
    this.#running = undefined;
    await worker?.terminate();
  }

  #startIdling(): void {
    this.#worker?.unref();
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.#stop(), this.#idleMs);
    this.#idle.unref();
  }
}

function tooLong(): HookrelayError {
  return new HookrelayError('ai_unavailable', 'the types of this payload take too long to make', {
    hint: 'the payload itself is at GET …/events/{eventId}/raw',
  });
}

function gaveOut(cause: unknown): Error {
  const isMemory = (cause as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY';
  if (!isMemory) return new Error('the types worker failed', { cause });
  return new HookrelayError('ai_unavailable', 'the types of this payload take too much memory', {
    hint: 'the payload itself is at GET …/events/{eventId}/raw',
    cause,
  });
}
