import type { Database } from 'better-sqlite3';
import { HookrelayError } from '../../../core/errors.ts';
import { databaseFile, giveToOwner, isThere, noAccess } from '../files/data-files.ts';
import { isBroken, type OpenOptions, openDatabase } from '../files/database.ts';
import { createIfNew, tracesOfDatabase } from '../files/lost-database.ts';
import { migrate, refuseUnknownSchema } from '../files/migrate.ts';
import { newestSchema, schemaOf, sqliteMigrations } from '../files/schema.ts';
import { Writer } from '../writing/writer.ts';
import { noData, takeDataDir } from './admin-lock.ts';

/** How long a command waits for its turn to write, ms. It holds up nobody but itself. */
const BUSY_TIMEOUT_MS = 30_000;

/**
 * A connection of a command's own, beside the server's. It has no lock on the
 * data directory, so whatever it writes must be short: while it does, the
 * server's writer waits, and the server's event loop with it.
 */
export class AdminConnection {
  readonly db: Database;
  readonly writer: Writer;

  constructor(db: Database) {
    this.db = db;
    // A commit that fails ends the command, and with it all that it promised.
    this.writer = new Writer(db, () => {});
  }

  /** Throws when a newer server has taken over the data since this was opened. */
  assertCurrent(): void {
    if (schemaOf(this.db) === newestSchema()) return;
    throw new HookrelayError('schema_newer', 'the schema was changed meanwhile', {
      hint: 'run the command of the hookrelay that the server runs',
    });
  }

  close(): void {
    this.db.close();
  }
}

/** Opens the database that is there, whatever its schema. Throws `data_dir_unusable`, `database_unusable`. */
export function openPresent(dataDir: string, options: OpenOptions = {}): Database {
  const file = databaseFile(dataDir);
  if (!isThere(file)) throw noData(dataDir);
  const db = openDatabase(file, options);
  db.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  return db;
}

/**
 * Opens the database with the schema that this program knows. An older one is
 * brought up to date if nobody works on it; with `make`, so is none at all.
 * Throws `database_missing` where there was one.
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

/** Brings the schema up to date. The caller holds the data directory. */
export function migrateFile(dataDir: string): { from: number; to: number } {
  const file = databaseFile(dataDir);
  const db = openDatabase(file, { inspect: refuseUnknown });
  try {
    giveToOwner(dataDir, [file]);
    const from = schemaOf(db);
    migrate(db, sqliteMigrations());
    return { from, to: schemaOf(db) };
  } finally {
    db.close();
  }
}

const refuseUnknown = (db: Database): void => refuseUnknownSchema(db, sqliteMigrations());

function upgrade(dataDir: string, options: { make: boolean }): void {
  const traces = tracesOfDatabase(dataDir);
  const lock = takeForUpgrade(dataDir, options);
  try {
    if (options.make) createIfNew(dataDir, traces, sqliteMigrations());
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
      `the database has an older schema than this hookrelay works with, and ${error.message}`,
      {
        hint: "use the running server's own version, or stop it and run hookrelay migrate",
        cause: error,
      },
    );
  }
}

/** Has what SQLite or the system refuses told to the person at the command line. */
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
      hint: 'check the permissions, or run the command as the user that owns the data directory',
      cause: error,
    });
  }
  if (isBroken(error)) {
    return new HookrelayError('database_unusable', `the database in ${dataDir} is damaged`, {
      hint: 'run hookrelay doctor, and restore a backup',
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
