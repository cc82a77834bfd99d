import type { EventEmitter } from 'node:events';
import { type MessagePort, Worker } from 'node:worker_threads';
import { type WorkerName, workerFile } from '../../../core/runtime/resource.ts';
import type { CrossingPort } from '../../../core/threads/crossing.ts';
import { exitAfterLoad, newLoadFlag } from './exit-after-load.ts';

/** The greatest size of a thread's young generation, MiB. By default V8 lets it grow to 48. */
const YOUNG_MIB = 4;

/** The part of `Worker` that is used here. Its events are `message`, `error` and `exit`. */
export interface WorkerThread extends EventEmitter, Pick<Worker, 'ref' | 'unref'> {
  postMessage: CrossingPort['postMessage'];
}
export interface EndableThread extends WorkerThread {
  terminate(): Promise<unknown>;
}

/** Starts a thread. It talks on `workerData.port` or, without that, on its parent's port. */
export type StartWorker<Thread = WorkerThread> = (name: WorkerName, workerData: object) => Thread;

interface StartTerms {
  /** The port on which another thread than the caller talks to the new thread. */
  port?: MessagePort;
  youngMib?: number;
}

export function startWorker(
  name: WorkerName,
  workerData: object,
  { port, youngMib = YOUNG_MIB }: StartTerms = {},
): Worker {
  const loaded = newLoadFlag();
  const worker = new Worker(workerFile(name), {
    workerData: { ...workerData, loaded, ...(port && { port }) },
    transferList: port ? [port] : [],
    resourceLimits: { maxYoungGenerationSizeMb: youngMib },
  });
  exitAfterLoad(worker, loaded);
  return worker;
}
