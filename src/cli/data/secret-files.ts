import { chownSync, existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeDurably } from '../../core/runtime/durable-file.ts';
import { Keys } from '../../core/secrets/keys.ts';
import { loadSecret } from '../../core/secrets/secret-key.ts';

/** File of the secret that `backup --with-keys` writes and `restore` reads. */
export const keyFileOf = (backupFile: string): string => `${backupFile}.key`;

/** As in core/secrets/secret-key.ts. */
export const secretFileOf = (dataDir: string): string => join(dataDir, 'secret.key');

/**
 * The secret that a server would use, or null. Unlike a server, it never creates
 * one. Throws `data_dir_unusable` for a file without a valid secret.
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

/** Whether the secret has this check value. Data without a check value matches any secret. */
export function matches(secret: Uint8Array, checkValue: string | null): boolean {
  return checkValue === null || new Keys(secret).checkValue === checkValue;
}

/** Replaces a key file, whole or not at all. */
export function writeKeyFile(file: string, secret: Uint8Array): void {
  writeDurably(file, `${Buffer.from(secret).toString('utf8')}\n`, giveToOwner);
}

/** Gives root's file to the directory's owner: the server's user must be able to read it. */
function giveToOwner(file: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(file));
  if (uid !== 0) chownSync(file, uid, gid);
}
