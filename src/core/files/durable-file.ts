import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { partialOf } from './partial-file.ts';

/**
 * Writes a small file for its owner alone (0600). It has its name only once it
 * is whole and on disk, and the name is on disk when this returns: whatever a
 * crash leaves, it is the old file or the new one, never a part.
 *
 * @param prepare is given the draft before it gets its name
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

/** Makes names in it durable: a new file or a rename is on disk only after this. */
export function syncDirectory(directory: string): void {
  // Windows opens no directories, and has nothing to sync there.
  if (process.platform === 'win32') return;
  const fd = openSync(directory, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
