import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { partialOf } from './partial-file.ts';

/**
 * Writes a small file that only its owner may read (0600). A crash leaves either the old file or
 * the new file, never a part. The content is synced before the rename, and the new name before the
 * return.
 *
 * @param prepare called with the path of the draft before the rename
 */
export function writeDurably(
  file: string,
  text: string,
  prepare: (draft: string) => void = () => {},
): void {
  const draft = partialOf(file);
  try {
    writeFileSync(draft, text, { flag: 'wx', mode: 0o600, flush: true });
    prepare(draft);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  syncDirectory(dirname(file));
}

/** Syncs a directory to disk. Otherwise a crash may lose a new file or a rename. */
export function syncDirectory(directory: string): void {
  // Windows can't open directories and needs no sync.
  if (process.platform === 'win32') return;
  const fd = openSync(directory, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
