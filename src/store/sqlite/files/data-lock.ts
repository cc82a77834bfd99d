import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { HookrelayError } from '../../../core/errors.ts';
import { writeWhole } from '../../../core/runtime/durable-file.ts';
import type { Holder } from '../../contract/admin-store.ts';
import { HOLDER_FILE, LOCK_FILE } from './data-files.ts';

/** How long to wait while `doctor` reads the lock file, ms. It blocks the event loop. */
const LOOKERS_TIMEOUT_MS = 500;

/** The lock of a data directory. Only its holder works on the data. */
export interface DataLock {
  /** Writes the holder's URL and process id to the holder file. Throws if the write fails. */
  announce(url: string): void;
  release(): void;
}

/**
 * Locks the data directory. Throws `data_dir_locked` with the holder's process id. The lock is an
 * exclusive transaction on a small SQLite file. The system releases it when the process dies, so no
 * stale lock remains.
 */
export function lockDataDir(directory: string): DataLock {
  const holderFile = join(directory, HOLDER_FILE);
  let db: Database.Database | undefined;
  try {
    db = new Database(join(directory, LOCK_FILE), { timeout: LOOKERS_TIMEOUT_MS });
    db.exec('BEGIN EXCLUSIVE');
    // SQLite takes the lock even on a read-only file system. This write fails there.
    writeFileSync(holderFile, JSON.stringify({ pid: process.pid }), { mode: 0o600 });
  } catch (error) {
    db?.close();
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!code.startsWith('SQLITE_BUSY')) {
      throw new HookrelayError('data_dir_unusable', `cannot lock ${directory}: ${String(error)}`, {
        hint: 'check the permissions of the data directory and that its disk is writable',
        cause: error,
      });
    }
    throw new HookrelayError(
      'data_dir_locked',
      `another hookrelay works on ${directory}${holderText(directory)}`,
      { hint: 'stop that process, or use another --data-dir' },
    );
  }
  const held = db;
  return {
    // Not synced: nobody reads the file after a power loss, because the next holder writes it again.
    announce: (url) => writeWhole(holderFile, JSON.stringify({ pid: process.pid, url })),
    release() {
      try {
        rmSync(holderFile, { force: true });
      } catch {
        // The directory may be read-only. Nobody reads the file while the directory is unlocked.
      }
      held.exec('ROLLBACK');
      held.close();
    },
  };
}

/** Returns the contents of the holder file. They are valid only while the directory is locked. */
export function notedHolder(directory: string): Holder {
  try {
    const { pid, url } = JSON.parse(readFileSync(join(directory, HOLDER_FILE), 'utf8'));
    return {
      pid: Number.isSafeInteger(pid) ? pid : null,
      url: URL.canParse(url) ? url : null,
    };
  } catch {
    // The holder hasn't written the file yet.
    return { pid: null, url: null };
  }
}

function holderText(directory: string): string {
  const { pid } = notedHolder(directory);
  return pid === null ? '' : ` (process ${pid})`;
}
