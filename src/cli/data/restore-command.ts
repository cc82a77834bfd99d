import { existsSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import type { Config } from '../../config/config.ts';
import { formatSize } from '../../core/text/size.ts';
import { counted } from '../../core/text/words.ts';
import type { RestoreSummary } from '../../store/contract/admin-store.ts';
import { failure, usageError } from '../command-error.ts';
import type { Output } from '../terminal/output.ts';
import { type Local, local, withAdmin } from './local-command.ts';
import { showCopy } from './progress-line.ts';
import {
  keyFileOf,
  matches,
  presentSecret,
  readKeyFile,
  secretFileOf,
  writeKeyFile,
} from './secret-files.ts';

/**
 * What happened to the secret:
 *
 * - `restored`: FILE.key replaced secret.key.
 * - `matches`: the present secret is the backup's.
 * - `unneeded`: there is no secret, and no server has used the backup's data yet.
 * - `missing`: there is no secret.
 * - `differs`: the present secret doesn't fit the backup.
 */
type SecretState = 'restored' | 'matches' | 'unneeded' | 'missing' | 'differs';

/** The only file in an unused data directory. `data-files.ts` in the store has the same name. */
const LOCK_FILE = 'lock.db';

const ABOUT = `
No server may run on the data directory. restore verifies the backup first. It
moves the present data aside and prints where. FILE.key, which backup
--with-keys writes, becomes secret.key. All users must log in again, and live
streams start over.

PostgreSQL has its own restore: stop every node, run pg_restore, then run
hookrelay restore --database URL without a file.`;

export function addRestoreCommand(program: Command): void {
  local(
    program
      .command('restore')
      .description('replace the data with a backup; the old data is kept')
      .argument('[file]', 'file that hookrelay backup wrote')
      .addHelpText('after', ABOUT),
    'restore /backups/hookrelay.db',
    'restore /backups/hookrelay.db --data-dir /tmp/drill',
    'restore --database postgres://user@host/hookrelay',
  ).action(withAdmin(restore));
}

async function restore(context: Local, source?: string): Promise<void> {
  const { admin, config, out } = context;
  if (source === undefined) return completeRestore(context);
  const file = resolve(source);
  // Check this first, so that a missing file doesn't leave a new directory.
  if (!existsSync(file)) throw failure(`there is no file ${file}`);
  const missing = missingDirectories(config.dataDir);
  const held = await admin.exclusive({ make: true });
  let restored: RestoreSummary | null = null;
  try {
    restored = await showCopy((onBegin) => held.restore(file, { onBegin }));
    const secret = settleSecret(config, keyFileOf(file), restored);
    report(out, file, config.dataDir, restored, secret);
  } finally {
    await held.release();
    if (restored === null) removeMade(missing);
  }
}

/** Starts a new history for the data of pg_restore, so that old sessions and cursors end. */
async function completeRestore({ admin, config, out }: Local): Promise<void> {
  if (config.database === null) throw usageError('restore needs a file', 'hookrelay restore FILE');
  const held = await admin.exclusive({ make: false });
  try {
    await held.completeRestore();
  } finally {
    await held.release();
  }
  const { database } = await admin.inspect(Date.now());
  if (database.state !== 'readable' || !database.content)
    throw failure('the restored database is not readable');
  const { bytes, schema, content } = database;
  const newest =
    content.newestEventAt === null ? null : new Date(content.newestEventAt).toISOString();
  const result = {
    bytes,
    events: content.events,
    newest_event_at: newest,
    open_deliveries: content.queue.pending,
    schema,
  };
  out.object(result, () => [
    ['size', formatSize(bytes)],
    ['events', newest ? `${content.events}, the newest at ${newest}` : '0'],
    ['schema', String(schema)],
  ]);
  noteConsequences(out, content.queue.pending);
}

function noteConsequences(out: Output, openDeliveries: number): void {
  out.note('Sessions are not restored: all users must log in again. API tokens and');
  out.note('passwords are those of the backup, even if revoked or changed since.');
  if (openDeliveries === 0) return;
  const deliveries = counted(openDeliveries, 'open delivery');
  out.note(`The backup has ${deliveries}. A server continues them when it starts.`);
}

function missingDirectories(directory: string): string[] {
  if (existsSync(directory)) return [];
  return [directory, ...missingDirectories(dirname(directory))];
}

/** Removes the directories that a failed restore created, unless another process uses them. */
function removeMade(directories: readonly string[]): void {
  const [dataDir] = directories;
  try {
    if (dataDir === undefined || readdirSync(dataDir).some((name) => name !== LOCK_FILE)) return;
    rmSync(join(dataDir, LOCK_FILE));
    for (const directory of directories) rmdirSync(directory);
  } catch {
    // Keep the directory, because the restore's own error matters more.
  }
}

function report(
  out: Output,
  file: string,
  dataDir: string,
  restored: RestoreSummary,
  secret: SecretState,
): void {
  const newest =
    restored.newestEventAt === null ? null : new Date(restored.newestEventAt).toISOString();
  const result = {
    file,
    data_dir: dataDir,
    bytes: restored.bytes,
    events: restored.events,
    newest_event_at: newest,
    open_deliveries: restored.openDeliveries,
    schema: restored.schema,
    backup_schema: restored.backupSchema,
    kept: restored.kept,
    secret,
  };
  out.object(result, () => [
    ['restored', dataDir],
    ['size', formatSize(restored.bytes)],
    ['events', newest ? `${restored.events}, the newest at ${newest}` : '0'],
    ['schema', schemaText(restored)],
    ['former data', restored.kept ?? 'none'],
    ['secret', SECRET_TEXT[secret]],
  ]);
  noteConsequences(out, restored.openDeliveries);
  if (secret === 'missing' || secret === 'differs') {
    out.note(`warning: ${SECRET_TEXT[secret]}. A server will refuse to start until`);
    out.note('secret.key, or HOOKRELAY_SECRET_KEY, is the secret of the backup.');
  }
}

const SECRET_TEXT: Record<SecretState, string> = {
  restored: 'restored',
  matches: 'the present secret matches',
  unneeded: 'none yet; a server creates it',
  missing: 'there is no secret.key, and no FILE.key that matches',
  differs: 'the present secret does not belong to the backup',
};

function schemaText({ schema, backupSchema }: RestoreSummary): string {
  return schema === backupSchema ? String(schema) : `${schema}, migrated from ${backupSchema}`;
}

/** Copies the secret of FILE.key to secret.key if only that secret fits the backup. */
function settleSecret(
  { dataDir, secretKey }: Config,
  keyFile: string,
  { secretCheck, kept }: RestoreSummary,
): SecretState {
  const present = presentOrUnreadable(dataDir, secretKey);
  if (present === null && secretCheck === null) return 'unneeded';
  if (present && present !== 'unreadable' && matches(present, secretCheck)) return 'matches';
  const came = readKeyFile(keyFile);
  // If HOOKRELAY_SECRET_KEY is set, the server ignores secret.key.
  if (!came || !matches(came, secretCheck) || secretKey !== null) {
    return present === null ? 'missing' : 'differs';
  }
  const target = secretFileOf(dataDir);
  if (existsSync(target)) renameSync(target, keptName(dataDir, target, kept));
  writeKeyFile(target, came);
  return 'restored';
}

function presentOrUnreadable(
  dataDir: string,
  secretKey: string | null,
): Uint8Array | 'unreadable' | null {
  try {
    return presentSecret(dataDir, secretKey);
  } catch {
    return 'unreadable';
  }
}

/** If the old data was kept, the path is in its directory. */
function keptName(dataDir: string, target: string, kept: string | null): string {
  if (kept !== null) return join(kept, basename(target));
  return join(dataDir, `${basename(target)}.before-restore-${Date.now()}`);
}
