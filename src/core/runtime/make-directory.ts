import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a directory that only its owner may use (0700), and its missing parents. Does nothing if
 * the directory exists. Throws the errors of `mkdirSync`.
 *
 * It doesn't use `mkdirSync` with `recursive`, which would loop for ever below a directory that
 * takes no entries, such as `/proc`. There Node takes ENOENT for a missing parent.
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
