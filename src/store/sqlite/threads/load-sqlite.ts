import { workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

/*
 * Loads SQLite's native code as soon as a thread starts, and then sets the flag of
 * exit-after-load.ts. Otherwise the code would be loaded with the first database, which may be at
 * any time.
 */
new Database(':memory:').close();

const { loaded } = workerData as { loaded: Int32Array };
Atomics.store(loaded, 0, 1);
Atomics.notify(loaded, 0);
