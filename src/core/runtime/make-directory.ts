import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a directory that only its owner may use (0700), and its missing parents. Does nothing if
 * the directory exists. Throws the errors of `mkdirSync`.
 *
 * Recursive `mkdirSync` would loop for ever below a directory such as `/proc`, which takes no
 * entries. There, Node mistakes ENOENT for a missing parent.
 */
export function makeDirectory(directory: string): void {
  if (isDirectory(directory)) return;
  const parent = dirname(directory);
  if (parent !== directory) makeDirectory(parent);
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    // Another process may make it at the same time.
    if (!isDirectory(directory)) throw error;
  }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
