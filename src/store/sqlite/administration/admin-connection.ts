import type { Database } from 'better-sqlite3';
import { HookrelayError } from '../../../core/errors.ts';
import { databaseFile, giveToOwner, isThere, noAccess } from '../files/data-files.ts';
import { isBroken, type OpenOptions, openDatabase } from '../files/database.ts';
import { createIfNew, tracesOfDatabase } from '../files/lost-database.ts';
import { migrate, refuseUnknownSchema } from '../files/migrate.ts';
import { newestSchema, schemaOf } from '../files/schema.ts';
import { Writer } from '../files/writer.ts';
import { noData, takeDataDir } from './admin-lock.ts';

/** How long a command waits for the server's write to end, ms. */
const BUSY_TIMEOUT_MS = 30_000;

/**
 * The connection of a command that runs beside a server. It doesn't lock the data directory. Keep
 * its writes short, because the server's writer waits for them and blocks its event loop.
 */
export class AdminConnection {
  readonly db: Database;
  readonly writer: Writer;

  constructor(db: Database) {
    this.db = db;
    // A failed commit ends the command anyway, so `onFatal` does nothing.
    this.writer = new Writer(db, () => {});
  }

  /** Throws if a newer server has upgraded the schema since the connection was opened. */
  assertCurrent(): void {
    refuseUnknown(this.db);
  }

  close(): void {
    this.db.close();
  }
}

/** Opens an existing database of any schema. Throws `data_dir_unusable`, `database_unusable`. */
export function openPresent(dataDir: string, options: OpenOptions = {}): Database {
  const file = databaseFile(dataDir);
  if (!isThere(file)) throw noData(dataDir);
  const db = openDatabase(file, options);
  db.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  return db;
}

/**
 * Opens the database with this program's schema. Upgrades an older schema if no server and no other
 * command uses the data. With `make`, creates a missing database. Throws `database_missing` if the
 * directory's earlier database is lost.
 */
export function openCurrent(dataDir: string, { make }: { make: boolean }): AdminConnection {
  if (make && !isThere(databaseFile(dataDir))) upgrade(dataDir, { make });
  const connection = openKnown(dataDir);
  if (schemaOf(connection.db) === newestSchema()) return connection;
  connection.close();
  upgrade(dataDir, { make: false });
  return openKnown(dataDir);
}

function openKnown(dataDir: string): AdminConnection {
  return new AdminConnection(openPresent(dataDir, { inspect: refuseUnknown }));
}

/** Upgrades the schema. The caller has locked the data directory. */
export function migrateFile(dataDir: string): { from: number; to: number } {
  const file = databaseFile(dataDir);
  const db = openDatabase(file, { inspect: refuseUnknown });
  try {
    giveToOwner(dataDir, [file]);
    return migrate(db);
  } finally {
    db.close();
  }
}

const refuseUnknown = (db: Database): void => refuseUnknownSchema(db);

function upgrade(dataDir: string, options: { make: boolean }): void {
  const traces = tracesOfDatabase(dataDir);
  const lock = takeForUpgrade(dataDir, options);
  try {
    if (options.make) createIfNew(dataDir, traces);
    migrateFile(dataDir);
  } finally {
    lock.release();
  }
}

function takeForUpgrade(dataDir: string, options: { make: boolean }) {
  try {
    return takeDataDir(dataDir, options);
  } catch (error) {
    if (!(error instanceof HookrelayError) || error.code !== 'data_dir_locked') throw error;
    throw new HookrelayError(
      'data_dir_locked',
      `the database has an older schema than this hookrelay needs, and ${error.message}`,
      {
        hint: "use the running server's version of hookrelay, or stop the server and run hookrelay migrate",
        cause: error,
      },
    );
  }
}

/** Runs `work`. Converts errors of SQLite and of the system to errors with a hint. */
export async function explained<T>(dataDir: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explain(error, dataDir);
  }
}

function explain(error: unknown, dataDir: string): unknown {
  if (error instanceof HookrelayError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/^SQLITE_(READONLY|CANTOPEN|PERM|AUTH)/.test(code)) return noAccess(dataDir, error);
  if (/^E(ACCES|PERM|ROFS)$/.test(code)) {
    return new HookrelayError('data_dir_unusable', (error as Error).message, {
      hint: 'check the permissions or run the command as the owner of the data directory',
      cause: error,
    });
  }
  if (isBroken(error)) {
    return new HookrelayError('database_unusable', `the database in ${dataDir} is damaged`, {
      hint: 'run hookrelay doctor and restore a backup',
      cause: error,
    });
  }
  if (/^(SQLITE_FULL|SQLITE_IOERR|ENOSPC|EDQUOT)/.test(code)) {
    return new HookrelayError('storage_full', 'the storage took no more data', {
      hint: 'free disk space; nothing was changed',
      cause: error,
    });
  }
  return error;
}
