import { rmSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { HookrelayError } from '../core/errors.ts';
import { failure } from './command-error.ts';
import { bytesText } from './local/bytes-text.ts';
import { type Local, local, withAdmin } from './local/local-command.ts';
import { showCopy } from './local/progress-line.ts';
import {
  keyFileOf,
  matches,
  presentSecret,
  readKeyFile,
  secretFileOf,
  writeKeyFile,
} from './local/secret-files.ts';

interface BackupFlags {
  withKeys?: boolean;
  force?: boolean;
}

const ABOUT = `
FILE is one SQLite file with all accounts, endpoints, events and deliveries as of one
moment; a server may run meanwhile. With --with-keys, FILE.key holds the secret that
opens what is sealed in it: keep the two apart. The search index isn't in it: restore
has it built anew. A backup that is killed leaves FILE.partial-PID, never half a FILE;
the next one to the same name takes it away.`;

/** `hookrelay backup`: a consistent copy of all data, beside a running server. */
export function addBackupCommand(program: Command): void {
  local(
    program
      .command('backup')
      .description('copy all data to a file, while a server may run')
      .argument('<file>', 'the file to write')
      .option('--with-keys', 'also write secret.key, to FILE.key')
      .option('--force', 'replace the file if there is one')
      .addHelpText('after', ABOUT),
    'backup /backups/hookrelay-$(date +%F).db',
    'backup /backups/hookrelay.db --force --with-keys --data-dir /var/lib/hookrelay',
  ).action(withAdmin(backup));
}

async function backup(context: Local, target: string, flags: BackupFlags): Promise<void> {
  const { admin, out } = context;
  const file = resolve(target);
  const started = performance.now();
  beNice();
  const overwrite = flags.force === true;
  const key = flags.withKeys ? await writeKey(context, keyFileOf(file), overwrite) : null;
  try {
    const summary = await showCopy((onBegin) => admin.backup(file, { overwrite, onBegin }));
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
      ['size', bytesText(summary.bytes)],
      ['events', String(summary.events ?? 'not known')],
      ['schema', String(summary.schema)],
      ['keys', key?.file ?? 'not included'],
      ['took', `${(result.duration_ms / 1000).toFixed(1)} s`],
    ]);
  } catch (error) {
    if (key?.isNew) rmSync(key.file, { force: true });
    throw error;
  }
  // Not every night to a log.
  if (!key && process.stderr.isTTY) {
    out.note('Without its secret, a restored server cannot open sealed secrets: keep secret.key');
    out.note('(or HOOKRELAY_SECRET_KEY) in a safe place, or back it up by --with-keys.');
  }
}

/** Before the data: a backup that is there has its key. */
async function writeKey(
  { admin, config }: Local,
  file: string,
  overwrite: boolean,
): Promise<{ file: string; isNew: boolean }> {
  const check = await admin.secretCheck();
  const secret = presentSecret(config.dataDir, config.secretKey);
  if (!secret) {
    throw failure(
      `there is no ${secretFileOf(config.dataDir)} to back up`,
      'set HOOKRELAY_SECRET_KEY as the server has it, or leave out --with-keys',
    );
  }
  if (!matches(secret, check)) {
    throw new HookrelayError(
      'secret_mismatch',
      'the secret at hand is not the one that the database was written with',
      { hint: 'hookrelay doctor tells more; leave out --with-keys to back up the data alone' },
    );
  }
  const present = readKeyFile(file);
  if (present && Buffer.compare(present, secret) === 0) return { file, isNew: false };
  if (present && !overwrite) {
    throw failure(`${file} is there already`, 'choose another name, or replace it with --force');
  }
  writeKeyFile(file, secret);
  return { file, isNew: present === null };
}

/** Capture and delivery come first. */
function beNice(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Not allowed everywhere; then it competes on equal terms.
  }
}
