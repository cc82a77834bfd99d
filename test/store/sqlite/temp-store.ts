import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type LogFields, type Logger, systemClock } from '../../../src/core/runtime/runtime.ts';
import type { Store } from '../../../src/store/contract/store.ts';
import { openSqliteStore, type SqliteStore } from '../../../src/store/sqlite/sqlite-store.ts';
import { openThreadedStore } from '../../../src/store/sqlite/store-thread/threaded-store.ts';
import type { StartWorker } from '../../../src/store/sqlite/threads/start-worker.ts';
import type { OpenedStore } from '../conformance/world.ts';

/** A new, empty directory, removed when the test ends. */
export function tempDir(): string {
  const directory = mkdtempSync(join(tmpdir(), 'hookrelay-store-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A log whose warnings and errors fail the test, except for the expected ones. */
export function strictLog(expected: (message: string) => boolean = () => false): Logger {
  const refuse = (message: string, fields?: LogFields) => {
    if (!expected(message)) throw new Error(`logged: ${message}`, { cause: fields?.error });
  };
  return { debug() {}, info() {}, warn: refuse, error: refuse };
}

export function openStoreIn(
  dataDir: string,
  log: Logger = strictLog(),
  startWorker?: StartWorker,
): Promise<SqliteStore> {
  return openSqliteStore({
    dataDir,
    clock: systemClock,
    log,
    onFatal(error) {
      throw error;
    },
    ...(startWorker && { startWorker }),
  });
}

/** Opens the store in its own thread, like the server. */
export function openThreadIn(dataDir: string, log: Logger = strictLog()): Promise<Store> {
  return openThreadedStore({
    dataDir,
    log,
    onFatal(error) {
      throw error;
    },
  });
}

/** Opens a store for the conformance suite. */
export const openInTempDir = () => openedInTempDir(openStoreIn);
export const openThreadInTempDir = () => openedInTempDir(openThreadIn);

async function openedInTempDir<S extends Store>(
  open: (dataDir: string) => Promise<S>,
): Promise<OpenedStore & { store: S }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hookrelay-store-'));
  let opened: S | undefined = await open(dataDir);
  return {
    store: opened,
    async reopen() {
      await opened?.close();
      opened = undefined;
      opened = await open(dataDir);
      return opened;
    },
    async close() {
      await opened?.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
