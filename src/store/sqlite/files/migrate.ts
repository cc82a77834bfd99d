import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { HookrelayError } from '../../../core/errors.ts';
import type { Logger } from '../../../core/runtime/runtime.ts';
import { SILENT_LOG } from '../../../core/runtime/silent-log.ts';

/** Marks a file as ours (`PRAGMA application_id`): "hkrl". */
const APPLICATION_ID = 0x686b726c;

/**
 * Brings a database to the schema of the numbered files in `directory`
 * (`0001_what.sql`), each file in its own transaction. `PRAGMA user_version` holds the
 * number of the last one. The log gets how long each file of an upgrade took.
 *
 * Throws as `refuseUnknownSchema` does.
 */
export function migrate(db: Database, directory: string, log: Logger = SILENT_LOG): void {
  refuseUnknownSchema(db, directory);
  const files = migrationsIn(directory);
  const to = files.at(-1)?.number ?? 0;
  let version = db.pragma('user_version', { simple: true }) as number;
  const isUpgrade = version > 0 && version < to;
  if (isUpgrade) log.info('the schema is being upgraded', { from: version, to });
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
}

/**
 * Throws `schema_newer` when the database's schema is newer than this program's, and
 * `database_unusable` when its tables are another program's. Changes nothing.
 */
export function refuseUnknownSchema(db: Database, directory: string): void {
  refuseForeignSchema(db);
  const version = db.pragma('user_version', { simple: true }) as number;
  const newest = migrationsIn(directory).at(-1)?.number ?? 0;
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

function migrationsIn(directory: string): { number: number; file: string }[] {
  return readdirSync(directory)
    .filter((name) => /^\d{4}_.+\.sql$/.test(name))
    .sort()
    .map((name) => ({ number: Number(name.slice(0, 4)), file: join(directory, name) }));
}

function refuseForeignSchema(db: Database): void {
  const applicationId = db.pragma('application_id', { simple: true });
  if (applicationId === APPLICATION_ID) return;
  const tables = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() as number;
  if (tables === 0) return;
  throw new HookrelayError(
    'database_unusable',
    `${db.name} is a database of another program; it stays unchanged`,
    { hint: 'set --data-dir to a directory for hookrelay alone' },
  );
}
