import { existsSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../../config.ts';
import type { RestoreSummary } from '../../store/contract/admin-store.ts';
import { failure, usageError } from '../command-error.ts';
import { bytesText } from '../local/bytes-text.ts';
import { type Local, local, withAdmin } from '../local/local-command.ts';
import { showCopy } from '../local/progress-line.ts';
import {
  keyFileOf,
  matches,
  presentSecret,
  readKeyFile,
  secretFileOf,
  writeKeyFile,
} from '../local/secret-files.ts';
import type { Output } from '../terminal/output.ts';
import { countText } from '../terminal/value-text.ts';

/**
 * `restored` from FILE.key, `matches` as it is here, `unneeded` by a backup that
 * no server has worked on, or what is wrong with what is here.
 */
type SecretState = 'restored' | 'matches' | 'unneeded' | 'missing' | 'differs';

/** Of a directory in which nothing has been done. As in store/sqlite/data-files.ts. */
const LOCK_FILE = 'lock.db';

const ABOUT = `
No server may run on the data directory. The backup is verified first; what is there is
moved aside, not deleted, and named. FILE.key, where backup --with-keys wrote one, becomes
secret.key. Everybody has to log in again, and live streams start over.

PostgreSQL brings its own restore. With --database, and no file, this completes it: stop every
node, run pg_restore, and then this.`;

/** `hookrelay restore`: puts a backup in the place of the data. */
export function addRestoreCommand(program: Command): void {
  local(
    program
      .command('restore')
      .description('put a backup in the place of the data; what was there is kept aside')
      .argument('[file]', 'what hookrelay backup wrote')
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
  // Before a directory is made for what isn't there.
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

/** What pg_restore has brought back becomes a database of its own. */
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
    throw failure('nothing can be read there');
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
    ['size', bytesText(bytes)],
    ['events', newest ? `${content.events}, the newest of ${newest}` : '0'],
    ['schema', String(schema)],
  ]);
  noteConsequences(out, content.queue.pending);
}

function noteConsequences(out: Output, openDeliveries: number): void {
  out.note('Sessions are not restored: everybody logs in again. API tokens revoked since the');
  out.note('backup, and passwords changed since, are as they were then.');
  if (openDeliveries === 0) return;
  const deliveries = countText(openDeliveries, 'open delivery');
  out.note(`The backup has ${deliveries}; a server goes on with what is open when it starts.`);
}

/** The directory and those above it that aren't there, the deepest first. */
function missingDirectories(directory: string): string[] {
  if (existsSync(directory)) return [];
  return [directory, ...missingDirectories(dirname(directory))];
}

/** What was made for a restore that came to nothing, unless somebody has begun to use it. */
function removeMade(directories: readonly string[]): void {
  const [dataDir] = directories;
  try {
    if (dataDir === undefined || readdirSync(dataDir).some((name) => name !== LOCK_FILE)) return;
    rmSync(join(dataDir, LOCK_FILE));
    for (const directory of directories) rmdirSync(directory);
  } catch {
    // It stays, empty: the error that brought us here is the one to tell.
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
    ['size', bytesText(restored.bytes)],
    ['events', newest ? `${restored.events}, the newest of ${newest}` : '0'],
    ['schema', schemaText(restored)],
    ['former data', restored.kept ?? 'none'],
    ['secret', SECRET_TEXT[secret]],
  ]);
  noteConsequences(out, restored.openDeliveries);
  if (secret === 'missing' || secret === 'differs') {
    out.note(`warning: ${SECRET_TEXT[secret]}. A server will refuse to start until`);
    out.note('secret.key, or HOOKRELAY_SECRET_KEY, is the one that the backup was written with.');
  }
}

const SECRET_TEXT: Record<SecretState, string> = {
  restored: 'restored',
  matches: 'the one that is here fits',
  unneeded: 'none yet; a server makes it',
  missing: 'there is no secret.key, and the backup came without it',
  differs: 'the one that is here is another',
};

function schemaText({ schema, backupSchema }: RestoreSummary): string {
  return schema === backupSchema ? String(schema) : `${schema}, brought up from ${backupSchema}`;
}

/** The secret that came along takes its place, unless the one that is here fits already. */
function settleSecret(
  { dataDir, secretKey }: Config,
  keyFile: string,
  { secretCheck, kept }: RestoreSummary,
): SecretState {
  const present = presentOrUnreadable(dataDir, secretKey);
  if (present === null && secretCheck === null) return 'unneeded';
  if (present && present !== 'unreadable' && matches(present, secretCheck)) return 'matches';
  const came = readKeyFile(keyFile);
  // A variable wins over any file: nothing here could make it fit.
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

/** With the data that it belonged to, where that was kept. */
function keptName(dataDir: string, target: string, kept: string | null): string {
  if (kept !== null) return join(kept, basename(target));
  return join(dataDir, `${basename(target)}.before-restore-${Date.now()}`);
}
