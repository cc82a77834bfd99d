import { realpathSync, renameSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import Database from 'better-sqlite3';
import { HookrelayError } from '../../../core/errors.ts';
import { syncDirectory } from '../../../core/runtime/durable-file.ts';
import { partialOf, removeAbandoned } from '../../../core/runtime/partial-file.ts';
import type { BackupSummary, DatabaseCopyOptions } from '../../contract/admin-store.ts';
import { noAccess, removeWithSideFiles, sizeOf, syncFile } from '../files/data-files.ts';
import { requireSpace } from '../files/disk-space.ts';
import { newestSchema, schemaOf } from '../files/schema.ts';
import { openPresent } from './admin-connection.ts';
import { countEvents } from './inspect.ts';

/**
 * Copies the database to `file`. A server may be running, and its writes don't wait. The copy is a
 * snapshot, because one read transaction makes it. The copy has a temporary name until it is on
 * disk.
 */
export async function backup(
  dataDir: string,
  file: string,
  { overwrite = false, onBegin }: DatabaseCopyOptions,
): Promise<BackupSummary> {
  const directory = dirname(file);
  checkTarget(file, directory, overwrite);
  const db = openPresent(dataDir);
  try {
    refuseOwnFiles(dataDir, file, directory);
    removeAbandoned(directory);
    const expectedBytes = contentBytes(db);
    await requireSpace(directory, expectedBytes, dataDir);
    const partial = partialOf(file);
    onBegin?.({ file: partial, expectedBytes });
    try {
      copyInto(db, partial);
      const summary = summaryOf(partial);
      // Somebody may have created the file after the first check.
      checkTarget(file, directory, overwrite);
      renameSync(partial, file);
      syncDirectory(directory);
      return summary;
    } catch (error) {
      removeWithSideFiles(partial);
      throw error;
    }
  } finally {
    db.close();
  }
}

/** Copies the database of a connection to a new file. Returns when the copy is on disk. */
export function copyInto(db: Database.Database, file: string): void {
  try {
    db.prepare('VACUUM INTO ?').run(file);
    syncFile(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'SQLITE_FULL' || code.startsWith('SQLITE_IOERR') || code === 'ENOSPC') {
      throw new HookrelayError('storage_full', `no room for the copy at ${dirname(file)}`, {
        hint: 'free disk space, or write to another disk',
        cause: error,
      });
    }
    if (code.startsWith('SQLITE_CANTOPEN')) throw noAccess(dirname(file), error);
    throw error;
  }
}

/** Returns the size of a copy, bytes. A copy contains only the pages in use. */
export function contentBytes(db: Database.Database): number {
  const pages = db.pragma('page_count', { simple: true }) as number;
  const unused = db.pragma('freelist_count', { simple: true }) as number;
  return (pages - unused) * (db.pragma('page_size', { simple: true }) as number);
}

function checkTarget(file: string, directory: string, overwrite: boolean): void {
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
    throw new HookrelayError('data_dir_unusable', `there is no directory ${directory}`, {
      hint: `mkdir -p ${directory}`,
    });
  }
  const there = statSync(file, { throwIfNoEntry: false });
  if (there && !there.isFile()) {
    throw new HookrelayError('data_dir_unusable', `${file} is not a file`, {
      hint: 'name a file for the backup',
    });
  }
  if (there && !overwrite) {
    throw new HookrelayError('data_dir_unusable', `${file} already exists`, {
      hint: 'choose another name, or replace the file with --force',
    });
  }
}

/** Refuses to replace a file of the data directory, because a running server may have it open. */
function refuseOwnFiles(dataDir: string, file: string, directory: string): void {
  if (realpathSync(directory) !== realpathSync(dataDir)) return;
  if (!/^(hookrelay|search|lock)\.db|^(holder\.json|secret\.key)$/.test(basename(file))) return;
  throw new HookrelayError('data_dir_unusable', `${file} is a file of the data directory itself`, {
    hint: 'choose another name, preferably on another disk',
  });
}

function summaryOf(file: string): BackupSummary {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  try {
    const schema = schemaOf(db);
    const events = schema === newestSchema() ? countEvents(db) : null;
    return { bytes: sizeOf(file), schema, events };
  } finally {
    db.close();
  }
}
