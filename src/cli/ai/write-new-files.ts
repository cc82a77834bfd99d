import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { failure } from '../command-error.ts';

/**
 * Writes new files into a directory and returns their paths. Throws `invalid_input` and writes
 * nothing if one of the files exists.
 *
 * @param files texts by name. A server chooses the names, so directories in the names are dropped
 */
export function writeNewFiles(
  directory: string,
  files: Readonly<Record<string, string>>,
): string[] {
  const named = Object.entries(files).map(([name, text]) => {
    const path = join(directory, basename(name));
    return { path, text };
  });
  const taken = named.find(({ path }) => existsSync(path));
  if (taken) {
    throw failure(
      `${taken.path} exists already`,
      'choose another directory, or move that file away',
    );
  }
  mkdirSync(directory, { recursive: true });
  for (const { path, text } of named) writeFileSync(path, text, { flag: 'wx' });
  return named.map(({ path }) => path);
}
