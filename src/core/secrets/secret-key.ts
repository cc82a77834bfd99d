import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HookrelayError } from '../errors.ts';
import { writeDurably } from '../runtime/durable-file.ts';

const FILE = 'secret.key';
const SECRET_BYTES = 32;

/**
 * Loads the server's one secret, from which `Keys` derives all keys. Without a `given` secret,
 * reads `secret.key` in the data directory. The first start makes that file. If the file is lost,
 * all sealed secrets and sessions are lost too. So operators must back it up separately from the
 * database.
 *
 * Throws `data_dir_unusable`, `secret_mismatch`.
 *
 * @param mayMake false if an earlier secret sealed the data: a new secret would hide that the right
 * secret is missing
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
    throw new HookrelayError('data_dir_unusable', `cannot use ${file}: ${String(error)}`, {
      hint: 'check the permissions of the data directory, or set HOOKRELAY_SECRET_KEY',
      cause: error,
    });
  }
  throw new HookrelayError(
    'secret_mismatch',
    `${file} is missing, and the database needs its secret`,
    {
      hint: 'restore secret.key from a backup, or set HOOKRELAY_SECRET_KEY to the secret used before; if it is lost: hookrelay rekey --drop-sealed',
    },
  );
}

/** Reads the secret. Returns null if the file doesn't exist. */
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
      `${file} is not a secret: it must have at least ${SECRET_BYTES} bytes`,
      { hint: 'restore the file from a backup: no other key decrypts the stored secrets' },
    );
  }
  return Buffer.from(text, 'utf8');
}

/** Makes a secret and writes it durably. */
function makeSecret(file: string): Uint8Array {
  const text = randomBytes(SECRET_BYTES).toString('base64');
  writeDurably(file, `${text}\n`);
  return Buffer.from(text, 'utf8');
}
