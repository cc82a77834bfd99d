import { renameSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { HookrelayError } from '../../../core/errors.ts';
import { syncDirectory } from '../../../core/runtime/durable-file.ts';
import { removeWithSideFiles, syncFile } from './data-files.ts';
import { migrate } from './migrate.ts';

/** Returns the name of a new database file until the file is complete. */
export const draftOf = (file: string): string => `${file}.new`;

/**
 * Creates a database. The file gets its final name when it is complete and on disk. Otherwise a
 * killed first start would leave an empty file. Every later start would refuse that file, because
 * it may be the rest of a lost database. The caller has locked the directory.
 *
 * Nobody uses an unfinished draft, so one sync at the end is enough. A sync for each migration
 * would make a first start wait for the disk 50 times.
 *
 * Throws `database_unusable`.
 */
export function createDatabase(file: string): void {
  const draft = draftOf(file);
  let db: Database.Database | undefined;
  try {
    // A killed first start may have left a draft. It contains no data.
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
