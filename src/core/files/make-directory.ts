import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a directory for its owner alone (0700), and the missing ones above it.
 * Does nothing where it exists. Throws what `mkdirSync` throws.
 *
 * Not by the `recursive` of `mkdirSync`: Node takes ENOENT for a missing parent and
 * tries again for ever where the parent exists and takes no entries, as `/proc` does.
 */
export function makeDirectory(directory: string): void {
  if (isDirectory(directory)) return;
  const parent = dirname(directory);
  if (parent !== directory) makeDirectory(parent);
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
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
