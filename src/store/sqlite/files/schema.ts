import type { Database } from 'better-sqlite3';
import { migrationFiles, migrationsOf, newestOf } from '../../shared/migration-files.ts';

/** Marks a file as hookrelay's (`PRAGMA application_id`): "hkrl". */
export const APPLICATION_ID = 0x686b726c;

/** Returns the number of the schema that this program works with. */
export function newestSchema(): number {
  return newestOf(migrationFiles(migrationsOf('sqlite')));
}

/** Returns the number of a database's schema. */
export function schemaOf(db: Database): number {
  return db.pragma('user_version', { simple: true }) as number;
}

export function isOurs(db: Database): boolean {
  return db.pragma('application_id', { simple: true }) === APPLICATION_ID;
}

/** Returns whether the database has no tables: the program that created it stopped too early. */
export function isBlank(db: Database): boolean {
  return db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0;
}
