import { renameSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { HookrelayError } from '../../../core/errors.ts';
import { syncDirectory } from '../../../core/runtime/durable-file.ts';
import { removeWithSideFiles, syncFile } from './data-files.ts';
import { migrate } from './migrate.ts';

/** The name of a new database file until it is complete. */
export const draftOf = (file: string): string => `${file}.new`;

/**
 * Creates a new database. It gets its name only when it is complete and on disk: a killed
 * first start would otherwise leave an empty file, and every later start refuses an empty
 * file as the rest of a lost database. The caller holds the directory's lock.
 *
 * Nobody resumes a draft, so one sync at its end is enough. A journal and a sync for each
 * migration would make a first start wait for the disk 50 times.
 *
 * Throws `database_unusable`.
 */
export function createDatabase(file: string): void {
  const draft = draftOf(file);
  let db: Database.Database | undefined;
  try {
    // A killed start may have left a draft, which holds nobody's data.
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
