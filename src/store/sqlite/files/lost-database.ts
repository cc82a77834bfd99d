import { basename, join } from 'node:path';
import { HookrelayError } from '../../../core/errors.ts';
import { createDatabase, draftOf } from './create-database.ts';
import { databaseFile, isThere, LOCK_FILE, SIDE_FILES, searchFile } from './data-files.ts';

const SECRET_FILE = 'secret.key';

/**
 * Returns the files which show that the directory once had a database. The secret counts only if a
 * server has run here and its first start wasn't killed. Otherwise somebody may have put the secret
 * there for a first start.
 *
 * Call it before `lockDataDir`, because that creates the lock file. An existing lock file means
 * that a server has run.
 */
export function tracesOfDatabase(dataDir: string): string[] {
  const file = databaseFile(dataDir);
  const traces = [...SIDE_FILES.map((suffix) => file + suffix), searchFile(dataDir)];
  const wasServed = isThere(join(dataDir, LOCK_FILE)) && !isThere(draftOf(file));
  if (wasServed) traces.push(join(dataDir, SECRET_FILE));
  return traces.filter(isThere);
}

/**
 * Creates the database if the directory never had one. Returns whether it created one. The caller
 * has locked the directory, and collected the traces before that.
 *
 * Throws `database_missing`, `database_unusable`.
 */
export function createIfNew(dataDir: string, traces: readonly string[]): boolean {
  const file = databaseFile(dataDir);
  if (isThere(file)) return false;
  refuseLost(dataDir, traces);
  createDatabase(file);
  return true;
}

/**
 * Throws if the directory's earlier database is lost. A new database would hide the loss: every
 * request would get 404, and backups would be empty. SQLite would also delete the lost database's
 * log.
 */
function refuseLost(dataDir: string, traces: readonly string[]): void {
  if (traces.length === 0) return;
  const left = traces.map((trace) => basename(trace)).join(', ');
  throw new HookrelayError(
    'database_missing',
    `${databaseFile(dataDir)} is gone: its ${left} ${traces.length === 1 ? 'is' : 'are'} still there; no new one was made`,
    {
      hint: 'restore a backup with `hookrelay restore FILE`, or put the file back with its log; to start with no data, use another --data-dir',
    },
  );
}
