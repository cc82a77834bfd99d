import type { Database } from 'better-sqlite3';
import { migrationFiles, migrationsOf, newestOf } from '../../shared/migration-files.ts';

/** Identifies a hookrelay file (`PRAGMA application_id`): "hkrl". */
export const APPLICATION_ID = 0x686b726c;

/** Returns the number of this program's schema. */
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

/** Whether the database has no tables, because the program that created it stopped too early. */
export function isBlank(db: Database): boolean {
  return db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0;
}
