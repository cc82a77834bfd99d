import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { HookrelayError } from './errors.ts';

const FILE = 'secret.key';
const SECRET_BYTES = 32;

/**
 * The server's one secret, from which `Keys` derives all others: the one given,
 * or else what `secret.key` in the data directory holds, made on first start.
 * Without it no destination's secret can be opened and no session goes on: back
 * it up apart from the database.
 *
 * Throws `data_dir_unusable`.
 */
export function loadSecret(dataDir: string, given: string | null): Uint8Array {
  if (given !== null) return Buffer.from(given, 'utf8');
  const file = join(dataDir, FILE);
  try {
    return readSecret(file) ?? makeSecret(file);
  } catch (error) {
    if (error instanceof HookrelayError) throw error;
    throw new HookrelayError('data_dir_unusable', `cannot read or make ${file}: ${String(error)}`, {
      hint: 'check the permissions of the data directory, or set HOOKRELAY_SECRET_KEY',
      cause: error,
    });
  }
}

/** Null when there is no such file. */
function readSecret(file: string): Uint8Array | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  if (Buffer.byteLength(text) < SECRET_BYTES) {
    throw new HookrelayError(
      'data_dir_unusable',
      `${file} holds no secret: it must be at least ${SECRET_BYTES} bytes`,
      { hint: 'restore the file from a backup; without it, sealed secrets cannot be opened' },
    );
  }
  return Buffer.from(text, 'utf8');
}

/** Written and fsynced before anything is sealed with it; `wx`, so that two starts can't both win. */
function makeSecret(file: string): Uint8Array {
  const text = randomBytes(SECRET_BYTES).toString('base64');
  const fd = openSync(file, 'wx', 0o600);
  try {
    writeSync(fd, `${text}\n`);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  return Buffer.from(text, 'utf8');
}
