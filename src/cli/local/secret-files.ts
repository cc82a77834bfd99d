import { chownSync, existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeDurably } from '../../core/files/durable-file.ts';
import { Keys } from '../../core/secrets/keys.ts';
import { loadSecret } from '../../core/secrets/secret-key.ts';

/** Where `backup --with-keys` puts the secret, and `restore` looks for it. */
export const keyFileOf = (backupFile: string): string => `${backupFile}.key`;

/** As in core/secret-key.ts. */
export const secretFileOf = (dataDir: string): string => join(dataDir, 'secret.key');

/**
 * The secret that a server would use here, or null; unlike a server, nobody
 * makes one. Throws `data_dir_unusable` for a file that holds none.
 */
export function presentSecret(dataDir: string, given: string | null): Uint8Array | null {
  if (given === null && !existsSync(secretFileOf(dataDir))) return null;
  return loadSecret(dataDir, given);
}

/** Null when there is no such file. */
export function readKeyFile(file: string): Uint8Array | null {
  if (!existsSync(file)) return null;
  return Buffer.from(readFileSync(file, 'utf8').trim(), 'utf8');
}

/** Whether data with this check value was written with the secret; any will do for data without. */
export function matches(secret: Uint8Array, checkValue: string | null): boolean {
  return checkValue === null || new Keys(secret).checkValue === checkValue;
}

/** Replaces what is there, whole or not at all. */
export function writeKeyFile(file: string, secret: Uint8Array): void {
  writeDurably(file, `${Buffer.from(secret).toString('utf8')}\n`, giveToOwner);
}

/** In a directory of the server's user, a file of root's would be out of its reach. */
function giveToOwner(file: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(file));
  if (uid !== 0) chownSync(file, uid, gid);
}
