import { join } from 'node:path';
import Database from 'better-sqlite3';
import { HookrelayError } from '../../../core/errors.ts';
import { makeDirectory } from '../../../core/runtime/make-directory.ts';
import type { Holder } from '../../contract/admin-store.ts';
import { giveToOwner, HOLDER_FILE, isThere, LOCK_FILE, noAccess } from '../files/data-files.ts';
import { type DataLock, lockDataDir, notedHolder } from '../files/data-lock.ts';

/**
 * Locks the data directory, as a server does. With `make`, creates a missing directory. Throws
 * `data_dir_unusable`. Throws `data_dir_locked` with the process id of the lock's holder.
 */
export function takeDataDir(dataDir: string, { make }: { make: boolean }): DataLock {
  if (make) {
    try {
      makeDirectory(dataDir);
    } catch (error) {
      throw noAccess(dataDir, error);
    }
  } else if (!isThere(dataDir)) {
    throw noData(dataDir);
  }
  const lock = lockDataDir(dataDir);
  giveToOwner(dataDir, [join(dataDir, LOCK_FILE), join(dataDir, HOLDER_FILE)]);
  return lock;
}

export function noData(dataDir: string): HookrelayError {
  return new HookrelayError('data_dir_unusable', `there is no hookrelay database in ${dataDir}`, {
    hint: "name the server's directory with --data-dir (HOOKRELAY_DATA_DIR)",
  });
}

/**
 * Returns the holder of the data directory's lock; null if it isn't locked. Writes nothing. Throws
 * if the lock file can't be opened.
 */
export function lockHolder(dataDir: string): Holder | null {
  const file = join(dataDir, LOCK_FILE);
  if (!isThere(file)) return null;
  const db = new Database(file, { readonly: true, timeout: 0 });
  try {
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    return null;
  } catch (error) {
    if (!(error as { code?: string }).code?.startsWith('SQLITE_BUSY')) throw error;
    return notedHolder(dataDir);
  } finally {
    db.close();
  }
}
