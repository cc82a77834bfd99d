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
  replace(file, text, { flush: true, prepare });
  syncDirectory(dirname(file));
}

/**
 * Writes a small file that only its owner may read (0600). Readers see either the old file or the
 * new file, never a part. Nothing is synced, so a power loss may leave an empty file.
 */
export function writeWhole(file: string, text: string): void {
  replace(file, text, { flush: false, prepare() {} });
}

function replace(
  file: string,
  text: string,
  { flush, prepare }: { flush: boolean; prepare(draft: string): void },
): void {
  const draft = partialOf(file);
  try {
    writeFileSync(draft, text, { flag: 'wx', mode: 0o600, flush });
    prepare(draft);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
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
