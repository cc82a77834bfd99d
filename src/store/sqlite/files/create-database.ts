import { renameSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { HookrelayError } from '../../../core/errors.ts';
import { syncDirectory } from '../../../core/files/durable-file.ts';
import { removeWithSideFiles } from './data-files.ts';
import { migrate } from './migrate.ts';

/** What the database is called until it is whole. */
export const draftOf = (file: string): string => `${file}.new`;

/**
 * Makes a new database that has its name only once it is whole and on disk.
 * Killed half-way, a first start would else leave an empty file behind, which
 * every later one must refuse: nobody could tell it from what is left of a
 * database that was lost. Call it with the directory's lock held.
 *
 * Throws `database_unusable`.
 */
export function createDatabase(file: string, migrations: string): void {
  const draft = draftOf(file);
  let db: Database.Database | undefined;
  try {
    // Of a start that was killed: it never had its name, so nobody's data is in it.
    removeWithSideFiles(draft);
    db = new Database(draft);
    db.pragma('synchronous = FULL');
    migrate(db, migrations);
    db.close();
    renameSync(draft, file);
    syncDirectory(dirname(file));
  } catch (error) {
    db?.close();
    throw new HookrelayError('database_unusable', `cannot make ${file}: ${String(error)}`, {
      hint: 'check the permissions of the data directory, and that its disk has room',
      cause: error,
    });
  }
}
