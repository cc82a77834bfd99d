import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { HookrelayError } from '../../../core/errors.ts';
import { planOnce } from './plan-once.ts';

export type { Database } from 'better-sqlite3';

/** How long to wait for a write of another connection, ms. It blocks the event loop. */
const BUSY_TIMEOUT_MS = 5000;
/** The size to which a checkpoint truncates the WAL. So the WAL shrinks again after a long read. */
export const JOURNAL_SIZE_LIMIT_BYTES = 64 * 1024 * 1024;
/** Older versions can corrupt a WAL that they reset while another connection runs a checkpoint. */
const OLDEST_SQLITE = [3, 51, 3];
const SQLITE_MAGIC = 'SQLite format 3\0';

export interface OpenOptions {
  readonly?: boolean;
  /** Page cache, KiB. A page that isn't in it takes a microsecond, from the system's cache. */
  cacheKib?: number;
  /**
   * `full`: a commit is on disk when it returns. `normal`: a power loss may undo the last commits,
   * but the file stays sound. Use `normal` only for data that can be rebuilt.
   */
  durability?: 'full' | 'normal';
  /** Runs before anything in the database changes. It may throw, to refuse the database. */
  inspect?: (db: Database.Database) => void;
}

/**
 * Opens the first connection of this process to a database file. Refuses a file of another format,
 * and an empty file, because that may be the rest of a database.
 *
 * Use `openAnother` for further connections. `openDatabase` opens and closes the file to inspect
 * it, and that drops all POSIX locks of this process on the file. Another process could then delete
 * the WAL in use (https://sqlite.org/howtocorrupt.html, section 2.2).
 *
 * Throws `database_unusable`, and what `options.inspect` throws.
 */
export function openDatabase(file: string, options: OpenOptions = {}): Database.Database {
  refuseForeignFile(file);
  return openAnother(file, options);
}

/**
 * Opens a connection in WAL mode. Unless `durability` is `normal`, a commit returns after its
 * fsync.
 *
 * Throws `database_unusable`.
 */
export function openAnother(file: string, options: OpenOptions = {}): Database.Database {
  let db: Database.Database | undefined;
  try {
    db = new Database(file, {
      readonly: options.readonly ?? false,
      timeout: BUSY_TIMEOUT_MS,
    });
    planOnce(db);
    assertSqliteVersion(db);
    options.inspect?.(db);
    if (!options.readonly) {
      db.pragma('journal_mode = WAL');
      // SQLite opens a read-only file without an error, but this write fails.
      const version = db.pragma('user_version', { simple: true });
      db.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${version}; ROLLBACK`);
    }
    db.pragma('foreign_keys = ON');
    db.pragma(`journal_size_limit = ${JOURNAL_SIZE_LIMIT_BYTES}`);
    db.pragma('trusted_schema = OFF');
    db.pragma(`cache_size = -${options.cacheKib ?? 4096}`);
    // At the first read, the driver sets NORMAL for a WAL, which may lose commits. So `synchronous`
    // is set after that read, and checked.
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    const synchronous = options.durability === 'normal' ? 1 : 2;
    db.pragma(`synchronous = ${synchronous}`);
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    if (db.pragma('synchronous', { simple: true }) !== synchronous) {
      throw new Error(`SQLite did not keep synchronous=${synchronous}`);
    }
    return db;
  } catch (error) {
    db?.close();
    if (error instanceof HookrelayError) throw error;
    throw new HookrelayError('database_unusable', `cannot open ${file}: ${messageOf(error)}`, {
      hint: 'run `hookrelay doctor` on the data directory, or restore a backup',
      cause: error,
    });
  }
}

function refuseForeignFile(file: string): void {
  if (!existsSync(file)) return;
  const head = Buffer.alloc(SQLITE_MAGIC.length);
  let length = 0;
  try {
    if (!statSync(file).isFile()) throw new Error('not a file');
    const fd = openSync(file, 'r');
    try {
      length = readSync(fd, head, 0, head.length, 0);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    throw new HookrelayError('database_unusable', `cannot read ${file}: ${messageOf(error)}`, {
      hint: 'check the permissions of the data directory',
      cause: error,
    });
  }
  if (length < head.length || head.toString('latin1') !== SQLITE_MAGIC) {
    throw new HookrelayError(
      'database_unusable',
      `${file} is ${length === 0 ? 'empty' : 'not a SQLite database'}; it stays unchanged`,
      {
        hint: 'restore a backup with `hookrelay restore FILE`; to start with no data, use another --data-dir',
      },
    );
  }
}

function assertSqliteVersion(db: Database.Database): void {
  const version = db.prepare('SELECT sqlite_version()').pluck().get() as string;
  const parts = version.split('.').map(Number);
  for (const [i, oldest] of OLDEST_SQLITE.entries()) {
    const part = parts[i] ?? 0;
    if (part > oldest) return;
    if (part < oldest) {
      throw new HookrelayError(
        'database_unusable',
        `SQLite ${version} is too old; ${OLDEST_SQLITE.join('.')} is needed`,
        { hint: 'reinstall hookrelay: it includes its own SQLite' },
      );
    }
  }
}

/** Whether the error says that SQLite found broken pages. */
export function isBroken(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
