import { chownSync, existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeDurably } from '../../core/runtime/durable-file.ts';
import { Keys } from '../../core/secrets/keys.ts';
import { loadSecret } from '../../core/secrets/secret-key.ts';

export const keyFileOf = (backupFile: string): string => `${backupFile}.key`;

/** Same name as in `core/secrets/secret-key.ts`. */
export const secretFileOf = (dataDir: string): string => join(dataDir, 'secret.key');

/** Returns null without a secret. Throws `data_dir_unusable` if the file has no valid one. */
export function presentSecret(dataDir: string, given: string | null): Uint8Array | null {
  if (given === null && !existsSync(secretFileOf(dataDir))) return null;
  return loadSecret(dataDir, given);
}

/** Returns null if the file doesn't exist. */
export function readKeyFile(file: string): Uint8Array | null {
  if (!existsSync(file)) return null;
  return Buffer.from(readFileSync(file, 'utf8').trim(), 'utf8');
}

/** Returns whether a secret fits data with this check value. Any secret fits null. */
export function matches(secret: Uint8Array, checkValue: string | null): boolean {
  return checkValue === null || new Keys(secret).checkValue === checkValue;
}

export function writeKeyFile(file: string, secret: Uint8Array): void {
  writeDurably(file, `${Buffer.from(secret).toString('utf8')}\n`, giveToOwner);
}

/** Gives a file of root to the owner of its directory, so that the server's user can read it. */
function giveToOwner(file: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(file));
  if (uid !== 0) chownSync(file, uid, gid);
}
