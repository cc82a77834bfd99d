import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStoreIn, tempDir } from '../temp-store.ts';

/*
 * "POSIX advisory locks can be cancelled by a separate thread doing close()"
 * (https://sqlite.org/howtocorrupt.html, section 2.2): code that opens and closes a
 * database's file beside SQLite drops all of this process's locks on it. Then another
 * program, such as an administrator's `sqlite3` before 3.51, takes itself for the last
 * one to leave and deletes the log that the server uses: everything acknowledged after
 * that is lost.
 */

/** The locks that this process holds on a file, from Linux's table of all locks. */
function locksOn(file: string): string[] {
  const inode = `:${statSync(file).ino}`;
  return readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .map((line) => line.split(/\s+/))
    .filter(([, , , , pid, device]) => pid === String(process.pid) && device?.endsWith(inode))
    .map(([, kind, , mode]) => `${kind} ${mode}`);
}

test.skipIf(process.platform !== 'linux')(
  'an open store keeps its lock on the database',
  async () => {
    const directory = tempDir();
    const file = join(directory, 'hookrelay.db');
    const store = await openStoreIn(directory);
    // The threads have opened the database too.
    await store.stats(0);
    await store.checkWritable();
    const locks = locksOn(file);
    await store.close();
    expect(locks).toEqual(['POSIX READ']);
  },
);
