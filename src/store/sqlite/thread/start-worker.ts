import type { EventEmitter } from 'node:events';
import { type MessagePort, Worker } from 'node:worker_threads';
import { type WorkerName, workerFile } from '../../../core/resource.ts';
import { exitAfterLoad, newLoadFlag } from './exit-after-load.ts';

/** V8 would let a thread's young objects grow to 48 MiB before it looks at them. */
const LIMITS = { maxYoungGenerationSizeMb: 4 };

/** What is used of a `Worker`: also its events `message`, `error`, and `exit`. */
export interface WorkerThread extends EventEmitter {
  postMessage(message: unknown): void;
  terminate(): Promise<unknown>;
  ref(): void;
  unref(): void;
}

/** Starts a thread that reads and answers on `workerData.port`, or as its parent's if there is none. */
export type StartWorker = (name: WorkerName, workerData: object) => WorkerThread;

/** @param port where the thread is heard by another than who starts it */
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
