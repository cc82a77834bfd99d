import type { EventEmitter } from 'node:events';
import { type MessagePort, Worker } from 'node:worker_threads';
import { type WorkerName, workerFile } from '../../../core/runtime/resource.ts';
import type { CrossingPort } from '../../../core/threads/crossing.ts';
import { workerEnv } from '../../../core/threads/worker-env.ts';
import { exitAfterLoad, newLoadFlag } from './exit-after-load.ts';

/** The largest size of a thread's young generation, MiB. V8's default is 48. */
const YOUNG_MIB = 4;

/** The largest size of a thread's old generation, MiB. As the main thread's (bin/bounded-memory.mjs). */
const OLD_MIB = 2000;

/** The part of `Worker` that is used here. Its events are `message`, `error` and `exit`. */
export interface WorkerThread extends EventEmitter, Pick<Worker, 'ref' | 'unref'> {
  postMessage: CrossingPort['postMessage'];
}
export interface EndableThread extends WorkerThread {
  terminate(): Promise<unknown>;
}

/** Starts a thread. Its messages use `workerData.port` if present, otherwise its parent's port. */
export type StartWorker<Thread = WorkerThread> = (name: WorkerName, workerData: object) => Thread;

interface StartTerms {
  /** The port by which a thread other than the caller communicates with the new thread. */
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
    env: workerEnv(),
    resourceLimits: { maxYoungGenerationSizeMb: youngMib, maxOldGenerationSizeMb: OLD_MIB },
  });
  exitAfterLoad(worker, loaded);
  return worker;
}
