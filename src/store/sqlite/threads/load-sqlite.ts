import { workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

/**
 * Loads SQLite's native code when the thread starts, then sets the flag of exit-after-load.ts.
 * Otherwise the first database would load it, at any time.
 */
new Database(':memory:').close();

const { loaded } = workerData as { loaded: Int32Array };
Atomics.store(loaded, 0, 1);
Atomics.notify(loaded, 0);
