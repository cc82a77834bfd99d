import { rmSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { HookrelayError } from '../../core/errors.ts';
import { failure } from '../command-error.ts';
import { bytesText } from '../local/bytes-text.ts';
import { type Local, local, ofFilesOnly, withAdmin } from '../local/local-command.ts';
import { showCopy } from '../local/progress-line.ts';
import {
  keyFileOf,
  matches,
  presentSecret,
  readKeyFile,
  secretFileOf,
  writeKeyFile,
} from '../local/secret-files.ts';

interface BackupFlags {
  withKeys?: boolean;
  force?: boolean;
}

const ABOUT = `
FILE is one SQLite file with all accounts, endpoints, events and deliveries as of one
moment; a server may run meanwhile. With --with-keys, FILE.key holds the secret that
opens what is sealed in it: keep the two apart. The search index isn't in it: a server
builds it after a restore. A backup that is killed leaves FILE.partial-…, never half a FILE; the
next one into the same directory removes it, or a day later where another machine or
container shares the directory. PostgreSQL brings its own backup, pg_dump.`;

/** `hookrelay backup`: a consistent copy of all data, beside a running server. */
export function addBackupCommand(program: Command): void {
  ofFilesOnly(
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
    ),
  ).action(withAdmin(backup));
}

async function backup(context: Local, target: string, flags: BackupFlags): Promise<void> {
  const { admin, out } = context;
  const file = resolve(target);
  const started = performance.now();
  beNice();
  const overwrite = flags.force === true;
  const key = flags.withKeys ? await keyFor(context, keyFileOf(file), overwrite) : null;
  // Before the data: a backup that is there has its key.
  if (key?.present === 'none') writeKey(key);
  try {
    const summary = await showCopy((onBegin) => admin.backup(file, { overwrite, onBegin }));
    // After the data: until then it opens the backup that is being replaced.
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
      ['size', bytesText(summary.bytes)],
      ['events', String(summary.events ?? 'not known')],
      ['schema', String(summary.schema)],
      ['keys', key?.file ?? 'not included'],
      ['took', `${(result.duration_ms / 1000).toFixed(1)} s`],
    ]);
  } catch (error) {
    if (key?.present === 'none') rmSync(key.file, { force: true });
    throw error;
  }
  // Not every night to a log.
  if (!key && process.stderr.isTTY) {
    out.note('Without its secret, a restored server cannot open sealed secrets: keep');
    out.note('secret.key (or HOOKRELAY_SECRET_KEY) safe, or back it up by --with-keys.');
  }
}

interface BackupKey {
  file: string;
  secret: Uint8Array;
  /** What the file holds by now. */
  present: 'none' | 'same' | 'another';
}

/** What FILE.key is to hold. Throws where there is no secret that fits, or no right to replace one. */
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
  if (!present) return { file, secret, present: 'none' };
  if (Buffer.compare(present, secret) === 0) return { file, secret, present: 'same' };
  if (!overwrite) {
    throw failure(`${file} is there already`, 'choose another name, or replace it with --force');
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

/** Capture and delivery come first. */
function beNice(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Not allowed everywhere; then it competes on equal terms.
  }
}
