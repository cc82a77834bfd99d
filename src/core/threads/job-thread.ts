import { type ResourceLimits, Worker } from 'node:worker_threads';
import { HookrelayError } from '../errors.ts';
import { type WorkerName, workerFile } from '../runtime/resource.ts';
import type { CpuCharges } from '../turns/cpu-use.ts';
import { type FailureMessage, unpackFailure } from './failure-message.ts';
import { workerEnv } from './worker-env.ts';

/** A message from a job thread to the server's thread. */
export type JobAnswer<Answer, Report = never> =
  | { id: number; report: Report }
  | { id: number; cpuMs: number; answer: Answer }
  | { id: number; cpuMs: number; failure: FailureMessage }
  /** Sent once, when the thread's code is loaded. */
  | 'ready';

export interface JobMessage<Request> {
  id: number;
  request: Request;
}

export interface JobThreadOptions {
  worker: WorkerName;
  resourceLimits: ResourceLimits;
  /** How long one job may take, ms. The time begins when the thread is ready. */
  deadlineMs: number;
  /** How long an idle thread is kept, ms. */
  idleMs: number;
  /** How many jobs may wait for the thread. */
  mostWaiting: number;
  /** Counts the CPU time of jobs for their accounts. */
  cpu?: CpuCharges | undefined;
  /** The errors that reject jobs. */
  overloaded(): Error;
  tooLong(): Error;
  gaveOut(cause: Error): Error;
}

export interface JobTerms<Report = never> {
  /** Ends the wait for the job. */
  signal?: AbortSignal | undefined;
  /** The account of the job, or several accounts with shares that add up to 1. */
  account?: string | ReadonlyMap<string, number>;
  /** Memory of the request that is moved to the thread, not copied. */
  handedOver?: readonly ArrayBuffer[];
  /** Gets the reports that the job sends before its end. */
  onReport?: ((report: Report) => void) | undefined;
}

interface Job<Request, Answer, Report> {
  request: Request;
  terms: JobTerms<Report>;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/**
 * A thread that does one job at a time, in order, so that jobs take neither time nor memory of the
 * server's thread. It starts with the first job and ends when it has been idle for a while. It is
 * killed when a job takes too long. It keeps the process alive only while somebody waits for a job.
 */
export class JobThread<Request, Answer, Report = never> {
  readonly #options: JobThreadOptions;
  readonly #waiting: Job<Request, Answer, Report>[] = [];
  #worker: Worker | undefined;
  #isReady = false;
  #running:
    | {
        id: number;
        job: Job<Request, Answer, Report>;
        startedAt: number;
        deadline?: NodeJS.Timeout;
      }
    | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;

  constructor(options: JobThreadOptions) {
    this.#options = options;
  }

  /**
   * Runs a job and returns its answer. Rejects with the error of the job, with an error from the
   * options, or with the signal's reason.
   */
  run(request: Request, terms: JobTerms<Report> = {}): Promise<Answer> {
    const { signal } = terms;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      if (this.#waiting.length >= this.#options.mostWaiting) {
        reject(this.#options.overloaded());
        return;
      }
      const job: Job<Request, Answer, Report> = { request, terms, resolve, reject };
      this.#waiting.push(job);
      // A job that is already running continues, until it is done or the deadline ends it.
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
    this.#running = { id, job, startedAt: performance.now() };
    worker.ref();
    const message: JobMessage<Request> = { id, request: job.request };
    worker.postMessage(message, job.terms.handedOver ?? []);
    if (this.#isReady) this.#startDeadline(worker);
  }

  #startDeadline(worker: Worker): void {
    const running = this.#running;
    if (!running) return;
    running.deadline = setTimeout(
      () => this.#fail(worker, this.#options.tooLong()),
      this.#options.deadlineMs,
    );
    if (running.job.terms.signal?.aborted) this.#letGo();
  }

  #letGo(): void {
    this.#worker?.unref();
    this.#running?.deadline?.unref();
  }

  #ensureWorker(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(workerFile(this.#options.worker), {
      env: workerEnv(),
      resourceLimits: this.#options.resourceLimits,
    });
    worker.on('message', (answer: JobAnswer<Answer, Report>) => {
      if (worker !== this.#worker) return;
      if (answer !== 'ready') this.#settle(answer);
      else {
        this.#isReady = true;
        this.#startDeadline(worker);
      }
    });
    worker.on('error', (error) => this.#fail(worker, this.#options.gaveOut(error as Error)));
    this.#worker = worker;
    return worker;
  }

  #settle(answer: Exclude<JobAnswer<Answer, Report>, 'ready'>): void {
    const running = this.#running;
    if (running?.id !== answer.id) return;
    if ('report' in answer) {
      running.job.terms.onReport?.(answer.report);
      return;
    }
    clearTimeout(running.deadline);
    this.#running = undefined;
    this.#charge(running.job, answer.cpuMs);
    if ('answer' in answer) running.job.resolve(answer.answer);
    else running.job.reject(unpackFailure(answer.failure));
    this.#next();
  }

  /** Rejects the running job and ends the thread. The next job starts another one. */
  #fail(worker: Worker, error: unknown): void {
    if (worker !== this.#worker) return;
    const running = this.#running;
    void this.#stop();
    if (running) {
      // A thread that is killed can't report its CPU time, so the elapsed time counts.
      this.#charge(running.job, performance.now() - running.startedAt);
      running.job.reject(error);
    }
    this.#next();
  }

  #charge({ terms: { account } }: Job<Request, Answer, Report>, cpuMs: number): void {
    const shares = typeof account === 'string' ? new Map([[account, 1]]) : account;
    for (const [one, share] of shares ?? []) this.#options.cpu?.charge(one, cpuMs * share);
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
    this.#idle = setTimeout(() => void this.#stop(), this.#options.idleMs);
    this.#idle.unref();
  }
}
