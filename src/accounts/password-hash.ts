import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/** OWASP's minimum for argon2id, the library's default algorithm: 19 MiB, 2 passes, 1 lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };
const SALT_BYTES = 16;

/** No password's, but as much work to check as every other. Made, not computed: that takes 30 ms. */
const DUMMY_HASH = phc(randomBytes(SALT_BYTES), randomBytes(COST.outputLen));

/** The PHC string to store: argon2id of the password in NFC, whole whatever its length. */
export function hashPassword(password: string): Promise<string> {
  return hash(bytesOf(password), COST);
}

/**
 * Whether `password` is the one that was hashed. Without a hash (no such
 * account) it takes as long and says no, so that time doesn't tell who has one.
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const matches = await verify(stored ?? DUMMY_HASH, bytesOf(password));
  return matches && stored !== null;
}

/** The same characters typed on another system may come composed differently. */
function bytesOf(password: string): Buffer {
  return Buffer.from(password.normalize('NFC'), 'utf8');
}

/** As argon2 writes it: base64 without padding. */
function phc(salt: Buffer, output: Buffer): string {
  const [saltText, outputText] = [salt, output].map((bytes) =>
    bytes.toString('base64').replaceAll('=', ''),
  );
  const { memoryCost, timeCost, parallelism } = COST;
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${saltText}$${outputText}`;
}
