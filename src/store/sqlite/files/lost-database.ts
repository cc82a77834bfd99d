import { basename, join } from 'node:path';
import { HookrelayError } from '../../../core/errors.ts';
import { createDatabase, draftOf } from './create-database.ts';
import { databaseFile, isThere, LOCK_FILE, SIDE_FILES, searchFile } from './data-files.ts';

const SECRET_FILE = 'secret.key';

/**
 * The files that only a directory has which once held a database. A secret
 * alone may be what somebody put there for a first start; it tells of a former
 * database where a server has been too, which wasn't killed in its first start.
 *
 * Ask before taking the directory's lock: that leaves the same file as a server.
 */
export function tracesOfDatabase(dataDir: string): string[] {
  const file = databaseFile(dataDir);
  const traces = [...SIDE_FILES.map((suffix) => file + suffix), searchFile(dataDir)];
  const wasServed = isThere(join(dataDir, LOCK_FILE)) && !isThere(draftOf(file));
  if (wasServed) traces.push(join(dataDir, SECRET_FILE));
  return traces.filter(isThere);
}

/**
 * Makes the database of a directory that never had one. Returns whether it did.
 * The caller holds the directory, and asked for the traces before.
 *
 * Throws `database_missing`, `database_unusable`.
 */
export function createIfNew(
  dataDir: string,
  traces: readonly string[],
  migrations: string,
): boolean {
  const file = databaseFile(dataDir);
  if (isThere(file)) return false;
  refuseLost(dataDir, traces);
  createDatabase(file, migrations);
  return true;
}

/**
 * An empty database in the place of a lost one would hide the loss: everything
 * answered 404, and the backups were of nothing. SQLite would even delete the
 * log that is left of it.
 */
function refuseLost(dataDir: string, traces: readonly string[]): void {
  if (traces.length === 0) return;
  const left = traces.map((trace) => basename(trace)).join(', ');
  throw new HookrelayError(
    'database_missing',
    `${databaseFile(dataDir)} is gone: ${left} of it ${traces.length === 1 ? 'is' : 'are'} still there; no new one was made`,
    {
      hint: 'put a backup in its place with `hookrelay restore FILE`, or the file itself back with its log; to start anew, use another --data-dir',
    },
  );
}
