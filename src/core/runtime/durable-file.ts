import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { partialOf } from './partial-file.ts';

/**
 * Writes a small file that only its owner may read (0600). A crash leaves the old file or the new
 * one, never a part: the content is on disk before the rename, and the name before this returns.
 *
 * @param prepare called with the draft before the rename
 */
export function writeDurably(
  file: string,
  text: string,
  prepare: (draft: string) => void = () => {},
): void {
  const draft = partialOf(file);
  try {
    const fd = openSync(draft, 'wx', 0o600);
    try {
      writeSync(fd, text);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    prepare(draft);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  syncDirectory(dirname(file));
}

/** Makes the names in a directory durable: only then is a new file or a rename on disk. */
export function syncDirectory(directory: string): void {
  // Windows can't open directories, and needs no sync.
  if (process.platform === 'win32') return;
  const fd = openSync(directory, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
