import { chownSync, closeSync, fsyncSync, openSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { HookrelayError } from '../../../core/errors.ts';

/** Suffixes of the files that SQLite keeps beside an open database. They remain after a crash. */
export const SIDE_FILES = ['-wal', '-shm', '-journal'] as const;

export function removeWithSideFiles(file: string): void {
  for (const suffix of ['', ...SIDE_FILES]) rmSync(file + suffix, { force: true });
}

/** Every server and every command that locks the directory leaves this file there. */
export const LOCK_FILE = 'lock.db';
/** Identifies the process that has locked the directory. */
export const HOLDER_FILE = 'holder.json';

export const databaseFile = (dataDir: string): string => join(dataDir, 'hookrelay.db');
export const searchFile = (dataDir: string): string => join(dataDir, 'search.db');

/** Returns the size of a file, bytes; 0 if the file doesn't exist. */
export function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Whether the path exists. Throws `data_dir_unusable` if the directory can't be read. */
export function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false;
    throw noAccess(path, error);
  }
}

export function noAccess(path: string, error: unknown): HookrelayError {
  const reason = error instanceof Error ? error.message : String(error);
  return new HookrelayError('data_dir_unusable', `no access to ${path}: ${reason}`, {
    hint: 'check its permissions or run the command as its owner',
    cause: error,
  });
}

export function syncFile(file: string): void {
  const fd = openSync(file, 'r+');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/**
 * Gives files that root created to the owner of the data directory. Otherwise the server, which
 * runs as that owner, couldn't open them.
 */
export function giveToOwner(dataDir: string, files: readonly string[]): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dataDir);
  if (uid === 0) return;
  for (const file of files) {
    if (statSync(file, { throwIfNoEntry: false })) chownSync(file, uid, gid);
  }
}
