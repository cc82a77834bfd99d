import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { HookrelayError } from '../../../core/errors.ts';
import { writeDurably } from '../../../core/files/durable-file.ts';
import type { Holder } from '../../contract/admin-store.ts';
import { HOLDER_FILE, LOCK_FILE } from './data-files.ts';

/** Whoever only looks (`doctor`) reads the lock's file for a moment, ms. It blocks the event loop. */
const LOOKERS_TIMEOUT_MS = 500;

/** The right to be the one process that works on a data directory. */
export interface DataLock {
  /** Notes where the holder is reached, beside its process id. Throws what keeps the file from being written. */
  announce(url: string): void;
  release(): void;
}

/**
 * Takes the data directory, or throws `data_dir_locked` naming who has it. The
 * lock is an exclusive transaction on a small SQLite file: the system frees it
 * with any death of its holder, so there is never a stale one to remove.
 */
export function lockDataDir(directory: string): DataLock {
  const holderFile = join(directory, HOLDER_FILE);
  let db: Database.Database | undefined;
  try {
    db = new Database(join(directory, LOCK_FILE), { timeout: LOOKERS_TIMEOUT_MS });
    db.exec('BEGIN EXCLUSIVE');
    // Also finds a read-only file system, on which SQLite locks without a word.
    writeFileSync(holderFile, JSON.stringify({ pid: process.pid }), { mode: 0o600 });
  } catch (error) {
    db?.close();
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!code.startsWith('SQLITE_BUSY')) {
      throw new HookrelayError('data_dir_unusable', `cannot lock ${directory}: ${String(error)}`, {
        hint: 'check the permissions of the data directory, and that its disk is not read-only',
        cause: error,
      });
    }
    throw new HookrelayError(
      'data_dir_locked',
      `another hookrelay works on ${directory}${holderText(directory)}`,
      { hint: 'stop that process, or use another --data-dir' },
    );
  }
  const held = db;
  return {
    // Replaced whole: a command that reads it meanwhile sees the old or the new one.
    announce: (url) => writeDurably(holderFile, JSON.stringify({ pid: process.pid, url })),
    release() {
      try {
        rmSync(holderFile, { force: true });
      } catch {
        // Read-only by now. It names a process without the lock: nobody asks for it then.
      }
      held.exec('ROLLBACK');
      held.close();
    },
  };
}

/** What the holder of the lock has noted about itself; only true while there is one. */
export function notedHolder(directory: string): Holder {
  try {
    const { pid, url } = JSON.parse(readFileSync(join(directory, HOLDER_FILE), 'utf8'));
    return {
      pid: Number.isSafeInteger(pid) ? pid : null,
      url: URL.canParse(url) ? url : null,
    };
  } catch {
    // Between taking the lock and noting who did.
    return { pid: null, url: null };
  }
}

function holderText(directory: string): string {
  const { pid } = notedHolder(directory);
  return pid === null ? '' : ` (process ${pid})`;
}
