import { renameSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { HookrelayError } from '../../../core/errors.ts';
import { syncDirectory } from '../../../core/runtime/durable-file.ts';
import { removeWithSideFiles, syncFile } from './data-files.ts';
import { migrate } from './migrate.ts';

/** Returns the name that a new database file has until it is complete. */
export const draftOf = (file: string): string => `${file}.new`;

/**
 * Creates a new database. The file gets its final name only when it is complete and on disk.
 * Otherwise a first start that was killed would leave an empty file. Every later start would refuse
 * it, because an empty file may be the rest of a lost database. The caller holds the lock of the
 * directory.
 *
 * Nobody goes on with an unfinished draft, so one sync at the end is enough. With a journal and a
 * sync for each migration, a first start would wait for the disk 50 times.
 *
 * Throws `database_unusable`.
 */
export function createDatabase(file: string): void {
  const draft = draftOf(file);
  let db: Database.Database | undefined;
  try {
    // A first start that was killed may have left a draft. It holds nobody's data.
    removeWithSideFiles(draft);
    db = new Database(draft);
    db.pragma('journal_mode = MEMORY');
    db.pragma('synchronous = OFF');
    migrate(db);
    db.close();
    syncFile(draft);
    renameSync(draft, file);
    syncDirectory(dirname(file));
  } catch (error) {
    db?.close();
    throw new HookrelayError('database_unusable', `cannot make ${file}: ${String(error)}`, {
      hint: 'check the permissions of the data directory and the free space of its disk',
      cause: error,
    });
  }
}
