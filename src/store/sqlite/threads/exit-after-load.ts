import type { Worker } from 'node:worker_threads';

/** Longest wait of an exit for one thread, ms. */
const LONGEST_WAIT_MS = 1000;

/** Flags of running threads: 0 while the thread loads SQLite, then 1. */
const loading = new Set<Int32Array>();

/** The flag of a new thread, for its `workerData`. */
export function newLoadFlag(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/**
 * Makes `process.exit` wait until the thread has loaded SQLite. Stopping a thread while it
 * loads native code aborts the process, which then ends by SIGABRT instead of its exit code.
 */
export function exitAfterLoad(worker: Worker, flag: Int32Array): void {
  if (!process.listeners('exit').includes(waitForLoads)) process.on('exit', waitForLoads);
  loading.add(flag);
  worker.once('exit', () => loading.delete(flag));
}

function waitForLoads(): void {
  for (const flag of loading) Atomics.wait(flag, 0, 0, LONGEST_WAIT_MS);
}
