import type { EventEmitter } from 'node:events';
import { type MessagePort, Worker } from 'node:worker_threads';
import { type WorkerName, workerFile } from '../../../core/resource.ts';
import { exitAfterLoad, newLoadFlag } from './exit-after-load.ts';

/** By default V8 lets a thread's young generation grow to 48 MiB. */
const LIMITS = { maxYoungGenerationSizeMb: 4 };

/** The part of `Worker` that is used here, with its events `message`, `error` and `exit`. */
export interface WorkerThread extends EventEmitter {
  postMessage(message: unknown): void;
  terminate(): Promise<unknown>;
  ref(): void;
  unref(): void;
}

/** Starts a thread. It reads and answers on `workerData.port`, or on its parent's port where there is none. */
export type StartWorker = (name: WorkerName, workerData: object) => WorkerThread;

/** @param port the thread's messages, where another thread than the caller talks to it */
export function startWorker(name: WorkerName, workerData: object, port?: MessagePort): Worker {
  const loaded = newLoadFlag();
  const worker = new Worker(workerFile(name), {
    workerData: { ...workerData, loaded, ...(port && { port }) },
    transferList: port ? [port] : [],
    resourceLimits: LIMITS,
  });
  exitAfterLoad(worker, loaded);
  return worker;
}
