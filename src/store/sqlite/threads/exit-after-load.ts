import type { Worker } from 'node:worker_threads';

/** The longest time that an exit waits for one thread, ms. */
const LONGEST_WAIT_MS = 1000;

/** The flags of running threads. A flag is 0 while its thread loads SQLite, and 1 afterwards. */
const loading = new Set<Int32Array>();

/** Returns the flag for a new thread. Pass it in the thread's `workerData`. */
export function newLoadFlag(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/**
 * Makes `process.exit` wait until the thread has loaded SQLite. Otherwise a thread that is stopped
 * while it loads native code would abort the process with SIGABRT.
 */
export function exitAfterLoad(worker: Worker, flag: Int32Array): void {
  if (!process.listeners('exit').includes(waitForLoads)) process.on('exit', waitForLoads);
  loading.add(flag);
  worker.once('exit', () => loading.delete(flag));
}

function waitForLoads(): void {
  for (const flag of loading) Atomics.wait(flag, 0, 0, LONGEST_WAIT_MS);
}
