import { workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

/*
 * Loads SQLite's native code at the start of a thread, and reports it to exit-after-load.ts:
 * opening the first database would load it later.
 */
new Database(':memory:').close();

const { loaded } = workerData as { loaded: Int32Array };
Atomics.store(loaded, 0, 1);
Atomics.notify(loaded, 0);
