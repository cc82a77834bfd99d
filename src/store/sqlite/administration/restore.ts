import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { HookrelayError } from '../../../core/errors.ts';
import { syncDirectory } from '../../../core/runtime/durable-file.ts';
import { partialOf } from '../../../core/runtime/partial-file.ts';
import type { DatabaseCopyOptions, RestoreSummary } from '../../contract/admin-store.ts';
import {
  databaseFile,
  giveToOwner,
  isThere,
  removeWithSideFiles,
  SIDE_FILES,
  sizeOf,
  syncFile,
} from '../files/data-files.ts';
import { openDatabase } from '../files/database.ts';
import { requireSpace } from '../files/disk-space.ts';
import { migrate, refuseUnknownSchema } from '../files/migrate.ts';
import { isOurs, schemaOf } from '../files/schema.ts';
import { contentBytes, copyInto } from './backup.ts';
import { countEvents, newestEventAt, secretCheckOf } from './inspect.ts';

/**
 * Replaces the database by a backup. The caller has locked the data directory.
 *
 * Everything is checked and prepared before a file is renamed. The last rename installs the new
 * database. So a crash leaves either the old database or the new one.
 */
export async function restore(
  dataDir: string,
  file: string,
  { onBegin }: Pick<DatabaseCopyOptions, 'onBegin'>,
): Promise<RestoreSummary> {
  const target = databaseFile(dataDir);
  const partial = partialOf(target);
  refuseItself(file, target);
  removeKilled(dataDir, target);
  const source = openBackup(file);
  try {
    const backupSchema = checkBackup(source, file);
    const expectedBytes = contentBytes(source);
    await requireSpace(dataDir, expectedBytes, dataDir);
    onBegin?.({ file: partial, expectedBytes });
    copyInto(source, partial);
    const summary = prepare(partial);
    giveToOwner(dataDir, [partial]);
    const kept = keepFormer(dataDir, target);
    renameSync(partial, target);
    if (kept) syncDirectory(kept);
    syncDirectory(dataDir);
    return { ...summary, backupSchema, bytes: sizeOf(target), kept };
  } catch (error) {
    removeWithSideFiles(partial);
    throw error;
  } finally {
    source.close();
  }
}

function refuseItself(file: string, target: string): void {
  if (!isThere(file)) {
    throw new HookrelayError('database_unusable', `there is no file ${file}`, {
      hint: 'name a file that hookrelay backup wrote',
    });
  }
  if (!isThere(target) || realpathSync(file) !== realpathSync(target)) return;
  throw new HookrelayError('database_unusable', `${file} is the database itself`, {
    hint: 'name a file that hookrelay backup wrote',
  });
}

function openBackup(file: string): Database {
  try {
    return openDatabase(file, { readonly: true });
  } catch (error) {
    throw damaged(file, error);
  }
}

/** Returns the backup's schema. Throws if the backup is damaged or not hookrelay's. */
function checkBackup(db: Database, file: string): number {
  let problem: string | undefined;
  try {
    if (!isOurs(db)) {
      throw new HookrelayError('database_unusable', `${file} is not a hookrelay backup`, {
        hint: 'name a file that hookrelay backup wrote',
      });
    }
    refuseUnknownSchema(db);
    problem = db
      .prepare<[], string>('PRAGMA integrity_check(1)')
      .pluck()
      .all()
      .find((line) => line !== 'ok');
  } catch (error) {
    if (error instanceof HookrelayError) throw error;
    throw damaged(file, error);
  }
  if (problem !== undefined) throw damaged(file, new Error(problem));
  return schemaOf(db);
}

/** Makes a copy usable by a server. Returns when the copy is on disk. */
function prepare(file: string): Omit<RestoreSummary, 'bytes' | 'backupSchema' | 'kept'> {
  const db = openDatabase(file);
  let summary: Omit<RestoreSummary, 'bytes' | 'backupSchema' | 'kept'>;
  try {
    migrate(db);
    const setGeneration = db.prepare<[string]>(`
      INSERT INTO meta (name, value) VALUES ('generation', ?)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`);
    db.transaction(() => {
      setGeneration.run(randomUUID().replaceAll('-', ''));
      db.exec('DELETE FROM sessions; DELETE FROM search_tombstones');
    }).immediate();
    summary = {
      schema: schemaOf(db),
      events: countEvents(db),
      newestEventAt: newestEventAt(db),
      openDeliveries: db.prepare('SELECT count(*) FROM open_deliveries').pluck().get() as number,
      secretCheck: secretCheckOf(db),
    };
    db.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
  }
  syncFile(file);
  return summary;
}

/**
 * Links the former database into a new directory, and returns the directory. Returns null if there
 * was no database. The old name remains until the new database replaces it. Otherwise a server
 * could find no database and start with an empty one.
 */
function keepFormer(dataDir: string, target: string): string | null {
  settleLog(target);
  if (!isThere(target) && !isThere(`${target}-wal`)) return null;
  const kept = newDirectory(dataDir);
  if (isThere(target)) {
    const name = join(kept, basename(target));
    try {
      linkSync(target, name);
    } catch {
      // Some file systems have no links. There the old name is missing for a moment.
      renameSync(target, name);
    }
  }
  syncDirectory(kept);
  syncDirectory(dataDir);
  // Side files remain if the database couldn't be opened or another command has it open. SQLite
  // must not use them with the new database.
  for (const suffix of SIDE_FILES) {
    if (isThere(target + suffix))
      renameSync(target + suffix, join(kept, basename(target) + suffix));
  }
  return kept;
}

/**
 * Opens and closes the database, so that SQLite writes the log of a killed server into it.
 * Otherwise SQLite would use that log with the new database.
 */
function settleLog(target: string): void {
  try {
    const inspect = (db: Database) => refuseUnknownSchema(db);
    if (isThere(target)) openDatabase(target, { inspect }).close();
  } catch {
    // A damaged or foreign database keeps its log.
  }
}

function newDirectory(dataDir: string): string {
  const time = new Date().toISOString().replace(/\.\d+/, '').replaceAll(':', '-');
  for (let i = 1; ; i++) {
    const directory = join(dataDir, `before-restore-${time}${i > 1 ? `-${i}` : ''}`);
    try {
      mkdirSync(directory, { mode: 0o700 });
      giveToOwner(dataDir, [directory]);
      return directory;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** Removes copies that killed restores left. The caller's lock excludes other restores. */
function removeKilled(dataDir: string, target: string): void {
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith(`${basename(target)}.partial-`)) rmSync(join(dataDir, name));
  }
}

function damaged(file: string, error: unknown): HookrelayError {
  const reason = error instanceof Error ? error.message : String(error);
  return new HookrelayError(
    'database_unusable',
    `${file} is not a sound backup: ${reason}; nothing was changed`,
    { hint: 'restore another backup', cause: error },
  );
}
