import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { HookrelayError } from '../../../core/errors.ts';
import { planOnce } from './plan-once.ts';

export type { Database } from 'better-sqlite3';

/** How long a statement waits for another connection's write, ms. It blocks the event loop. */
const BUSY_TIMEOUT_MS = 5000;
/** A checkpoint cuts the WAL back to this, so that one long reader doesn't cost its disk for good. */
export const JOURNAL_SIZE_LIMIT_BYTES = 64 * 1024 * 1024;
/** Older ones can corrupt a WAL that is reset while another connection checkpoints. */
const OLDEST_SQLITE = [3, 51, 3];
const SQLITE_MAGIC = 'SQLite format 3\0';

export interface OpenOptions {
  readonly?: boolean;
  /** Page cache, KiB. What isn't in it is a read from the system's own, of a microsecond. */
  cacheKib?: number;
  /**
   * `full`: a commit is on disk when it returns. `normal`: the last commits may
   * be lost with the power, the file stays sound: for what can be made again.
   */
  durability?: 'full' | 'normal';
  /** Looks at the database before anything in it may be changed, and throws to refuse it. */
  inspect?: (db: Database.Database) => void;
}

/**
 * Opens a database file as this process's first connection to it. Refuses a file
 * that isn't a SQLite database (an empty one too: it may be what is left of one)
 * rather than recreate it.
 *
 * First only: looking into the file opens and closes it beside SQLite, which
 * drops all POSIX locks that this process has on it. Another process could then
 * take itself for the last one and delete the WAL under this one
 * (https://sqlite.org/howtocorrupt.html, section 2.2). Use `openAnother` after.
 *
 * Throws `database_unusable`, and what `options.inspect` throws.
 */
export function openDatabase(file: string, options: OpenOptions = {}): Database.Database {
  refuseForeignFile(file);
  return openAnother(file, options);
}

/**
 * Opens a connection in WAL mode with `synchronous=FULL`, read back: a commit
 * returns only after its fsync.
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
      // SQLite opens a file that can't be written without a word: find out now.
      const version = db.pragma('user_version', { simple: true });
      db.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${version}; ROLLBACK`);
    }
    db.pragma('foreign_keys = ON');
    db.pragma(`journal_size_limit = ${JOURNAL_SIZE_LIMIT_BYTES}`);
    db.pragma('trusted_schema = OFF');
    db.pragma(`cache_size = -${options.cacheKib ?? 4096}`);
    // The first read makes the driver apply its own WAL default, NORMAL, under
    // which a commit may be lost: set ours after it, and read it back.
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    const synchronous = options.durability === 'normal' ? 1 : 2;
    db.pragma(`synchronous = ${synchronous}`);
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    if (db.pragma('synchronous', { simple: true }) !== synchronous) {
      throw new Error(`synchronous=${synchronous} did not hold`);
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
      `${file} is ${length === 0 ? 'empty' : 'not a SQLite database'}; it is left as it is`,
      {
        hint: 'restore a backup with `hookrelay restore FILE`; to start anew, use another --data-dir',
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
        { hint: 'reinstall hookrelay: it brings its own SQLite' },
      );
    }
  }
}

/** Whether SQLite met pages that are not what they should be. */
export function isBroken(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
