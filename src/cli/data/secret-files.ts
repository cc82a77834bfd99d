import { chownSync, existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeDurably } from '../../core/runtime/durable-file.ts';
import { Keys } from '../../core/secrets/keys.ts';
import { loadSecret } from '../../core/secrets/secret-key.ts';

/** Returns the path of the secret that `backup --with-keys` writes and `restore` reads. */
export const keyFileOf = (backupFile: string): string => `${backupFile}.key`;

/** `core/secrets/secret-key.ts` has the same file name. */
export const secretFileOf = (dataDir: string): string => join(dataDir, 'secret.key');

/**
 * Returns the secret that a server would use. Null if there is none: unlike a server, this function
 * never creates one. Throws `data_dir_unusable` if the file holds no valid secret.
 */
export function presentSecret(dataDir: string, given: string | null): Uint8Array | null {
  if (given === null && !existsSync(secretFileOf(dataDir))) return null;
  return loadSecret(dataDir, given);
}

/** Reads a key file; null if it doesn't exist. */
export function readKeyFile(file: string): Uint8Array | null {
  if (!existsSync(file)) return null;
  return Buffer.from(readFileSync(file, 'utf8').trim(), 'utf8');
}

/** Returns whether the secret fits data with this check value. Any secret fits data without one. */
export function matches(secret: Uint8Array, checkValue: string | null): boolean {
  return checkValue === null || new Keys(secret).checkValue === checkValue;
}

/** Replaces a key file. If writing fails, the old file stays whole. */
export function writeKeyFile(file: string, secret: Uint8Array): void {
  writeDurably(file, `${Buffer.from(secret).toString('utf8')}\n`, giveToOwner);
}

/** Gives root's file to the owner of its directory, so that the server's user can read it. */
function giveToOwner(file: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(file));
  if (uid !== 0) chownSync(file, uid, gid);
}
