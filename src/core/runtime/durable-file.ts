import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { partialOf } from './partial-file.ts';

/**
 * Writes a small file that only its owner may read (0600). The file gets its name
 * when its content is on disk, and this returns when the name is on disk. A crash
 * leaves the old file or the new one, never a part.
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
