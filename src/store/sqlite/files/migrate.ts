import { readFileSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { HookrelayError } from '../../../core/errors.ts';
import type { Logger } from '../../../core/runtime/runtime.ts';
import { SILENT_LOG } from '../../../core/runtime/silent-log.ts';
import { migrationFiles, migrationsOf, newestOf } from '../../shared/migration-files.ts';
import { APPLICATION_ID, isBlank, isOurs, newestSchema, schemaOf } from './schema.ts';

/**
 * Runs the numbered migration files that the database lacks, each in its own transaction. `PRAGMA
 * user_version` has the number of the last one. Returns the schemas before and after.
 *
 * Throws what `refuseUnknownSchema` throws.
 */
export function migrate(
  db: Database,
  log: Logger = SILENT_LOG,
  folder = migrationsOf('sqlite'),
): { from: number; to: number } {
  const files = migrationFiles(folder);
  const to = newestOf(files);
  refuseUnknownSchema(db, to);
  const from = schemaOf(db);
  const isUpgrade = from > 0 && from < to;
  if (isUpgrade) log.info('the schema is being upgraded', { from, to });
  let version = from;
  for (const { number, file } of files) {
    if (number <= version) continue;
    const begun = performance.now();
    const sql = readFileSync(file, 'utf8');
    db.transaction(() => {
      db.exec(sql);
      db.pragma(`user_version = ${number}`);
      db.pragma(`application_id = ${APPLICATION_ID}`);
    }).immediate();
    const tookMs = Math.round(performance.now() - begun);
    if (isUpgrade) log.info('migrated', { from: version, to: number, took_ms: tookMs });
    version = number;
  }
  return { from, to };
}

/**
 * Throws `schema_newer` if the database's schema is newer than this program's. Throws
 * `database_unusable` if the tables belong to another program. Changes nothing.
 */
export function refuseUnknownSchema(db: Database, newest = newestSchema()): void {
  refuseForeignSchema(db);
  const version = schemaOf(db);
  if (version > newest) {
    throw new HookrelayError(
      'schema_newer',
      `the database has schema ${version}; this hookrelay knows schemas up to ${newest}`,
      {
        hint: 'run the newer hookrelay that wrote it, or restore a backup from before the upgrade',
      },
    );
  }
}

function refuseForeignSchema(db: Database): void {
  if (isOurs(db) || isBlank(db)) return;
  throw new HookrelayError(
    'database_unusable',
    `${db.name} is a database of another program; it stays unchanged`,
    { hint: 'set --data-dir to a directory for hookrelay alone' },
  );
}
