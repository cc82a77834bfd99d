import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HookrelayError } from '../errors.ts';
import { writeDurably } from '../files/durable-file.ts';

const FILE = 'secret.key';
const SECRET_BYTES = 32;

/**
 * The server's one secret, from which `Keys` derives all others: the one given,
 * or else what `secret.key` in the data directory holds, made on first start.
 * Without it no destination's secret can be opened and no session goes on: back
 * it up apart from the database.
 *
 * @param mayMake false for data that was written with a secret: a new one would
 *   hide that the right one is missing, and nothing could be opened with it
 *
 * Throws `data_dir_unusable`, `secret_mismatch`.
 */
export function loadSecret(dataDir: string, given: string | null, mayMake = true): Uint8Array {
  if (given !== null) return Buffer.from(given, 'utf8');
  const file = join(dataDir, FILE);
  try {
    const secret = readSecret(file);
    if (secret) return secret;
    if (mayMake) return makeSecret(file);
  } catch (error) {
    if (error instanceof HookrelayError) throw error;
    throw new HookrelayError('data_dir_unusable', `cannot read or make ${file}: ${String(error)}`, {
      hint: 'check the permissions of the data directory, or set HOOKRELAY_SECRET_KEY',
      cause: error,
    });
  }
  throw new HookrelayError(
    'secret_mismatch',
    `there is no ${file}, but the database was written with a secret; none was made`,
    {
      hint: 'put secret.key back from a backup, or set HOOKRELAY_SECRET_KEY to the secret used before',
    },
  );
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

/** On disk before anything is sealed with it. */
function makeSecret(file: string): Uint8Array {
  const text = randomBytes(SECRET_BYTES).toString('base64');
  writeDurably(file, `${text}\n`);
  return Buffer.from(text, 'utf8');
}
