import { rmSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { resolve } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { HookrelayError } from '../../core/errors.ts';
import { formatSize } from '../../core/text/size.ts';
import { failure } from '../command-error.ts';
import { commandPart, type FlagsOf } from '../command-part.ts';
import { type Local, local, ofFilesOnly, withAdmin } from './local-command.ts';
import { showCopy } from './progress-line.ts';
import {
  keyFileOf,
  matches,
  presentSecret,
  readKeyFile,
  secretFileOf,
  writeKeyFile,
} from './secret-files.ts';

const addBackupFlags = commandPart((command) =>
  command
    .option('--with-keys', 'also copy secret.key to FILE.key')
    .option('--force', 'replace an existing file'),
);

const ABOUT = `
FILE is one SQLite file: a consistent copy of all accounts, endpoints, events
and deliveries. A server may run meanwhile. The copy has no search index: a
server builds it after a restore.

With --with-keys, FILE.key holds the secret that decrypts the signing secrets in
FILE. Keep the two apart.

A killed backup leaves FILE.partial-…, never half a FILE. The next backup into
the same directory removes it. If several machines or containers share the
directory, it stays for a day.

PostgreSQL has its own backup: pg_dump.`;

export function addBackupCommand(program: Command): void {
  ofFilesOnly(
    local(
      addBackupFlags(
        program
          .command('backup')
          .description('copy all data to a file; a server may run meanwhile')
          .argument('<file>', 'the file to write')
          .addHelpText('after', ABOUT),
      ),
      'backup /backups/hookrelay-$(date +%F).db',
      'backup /backups/hookrelay.db --force --with-keys --data-dir /var/lib/hookrelay',
    ),
  ).action(withAdmin(backup));
}

async function backup(
  context: Local,
  target: string,
  flags: FlagsOf<typeof addBackupFlags>,
): Promise<void> {
  const { admin, out } = context;
  const file = resolve(target);
  const started = performance.now();
  beNice();
  const overwrite = flags.force === true;
  const key = flags.withKeys ? await keyFor(context, keyFileOf(file), overwrite) : null;
  // Write a new key first, so that a finished backup always has its key.
  if (key?.present === 'none') writeKey(key);
  try {
    const summary = await showCopy((onBegin) => admin.backup(file, { overwrite, onBegin }));
    // Replace an old key only after the backup, because it belongs to the old backup until then.
    if (key?.present === 'another') writeKey(key);
    const result = {
      file,
      bytes: summary.bytes,
      events: summary.events,
      schema: summary.schema,
      keys_file: key?.file ?? null,
      duration_ms: Math.round(performance.now() - started),
    };
    out.object(result, () => [
      ['file', file],
      ['size', formatSize(summary.bytes)],
      ['events', String(summary.events ?? 'not known')],
      ['schema', String(summary.schema)],
      ['keys', key?.file ?? 'not included'],
      ['took', `${(result.duration_ms / 1000).toFixed(1)} s`],
    ]);
  } catch (error) {
    if (key?.present === 'none') rmSync(key.file, { force: true });
    throw error;
  }
  // Print this on a terminal only, because the log of a nightly backup needn't repeat it.
  if (!key && process.stderr.isTTY) {
    out.note('A restored server needs the secret to decrypt signing secrets. Keep secret.key');
    out.note('(or HOOKRELAY_SECRET_KEY) safe, or back it up with --with-keys.');
  }
}

interface BackupKey {
  file: string;
  secret: Uint8Array;
  /** The content of FILE.key before this backup: no key, the same key, or another one. */
  present: 'none' | 'same' | 'another';
}

/**
 * Returns the secret for FILE.key. Throws if no secret matches the data. Without `--force`, also
 * throws if FILE.key has another secret.
 */
async function keyFor(
  { admin, config }: Local,
  file: string,
  overwrite: boolean,
): Promise<BackupKey> {
  const check = await admin.secretCheck();
  const secret = presentSecret(config.dataDir, config.secretKey);
  if (!secret) {
    throw failure(
      `there is no ${secretFileOf(config.dataDir)} to back up`,
      'set HOOKRELAY_SECRET_KEY as the server has it, or omit --with-keys',
    );
  }
  if (!matches(secret, check)) {
    throw new HookrelayError('secret_mismatch', 'this secret does not belong to the database', {
      hint: 'run hookrelay doctor, or omit --with-keys to back up the data alone',
    });
  }
  const present = readKeyFile(file);
  if (!present) return { file, secret, present: 'none' };
  if (Buffer.compare(present, secret) === 0) return { file, secret, present: 'same' };
  if (!overwrite) {
    throw failure(`${file} already exists`, 'choose another name, or replace it with --force');
  }
  return { file, secret, present: 'another' };
}

function writeKey({ file, secret }: BackupKey): void {
  try {
    writeKeyFile(file, secret);
  } catch (error) {
    throw failure(`cannot write ${file}: ${(error as Error).message}`, 'choose another place');
  }
}

/** Lowers the priority of this process, because capture and delivery come first. */
function beNice(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Some systems refuse this. The backup then runs at normal priority.
  }
}
