import { randomBytes } from 'node:crypto';

/** OWASP's minimum for argon2id, the library's default algorithm: 19 MiB, 2 passes, 1 lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };
const SALT_BYTES = 16;

/** The hash of no password. A check of it takes as long as any. Random bytes save the 30 ms. */
const DUMMY_HASH = phc(randomBytes(SALT_BYTES), randomBytes(COST.outputLen));

/** Returns the PHC string to store: argon2id of the whole password in NFC. */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await argon2();
  return hash(bytesOf(password), COST);
}

/**
 * Returns whether `password` matches `stored`. If `stored` is null because there is no such
 * account, it returns false after the same time, so the time doesn't reveal which accounts exist.
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const { verify } = await argon2();
  const matches = await verify(stored ?? DUMMY_HASH, bytesOf(password));
  return matches && stored !== null;
}

/** Loads the native addon with the first password. Few requests have one. */
function argon2() {
  return import('@node-rs/argon2');
}

/** Returns the password's bytes in NFC, because systems encode the same characters differently. */
function bytesOf(password: string): Buffer {
  return Buffer.from(password.normalize('NFC'), 'utf8');
}

/** Returns a PHC string as argon2 writes it: in base64 without padding. */
function phc(salt: Buffer, output: Buffer): string {
  const [saltText, outputText] = [salt, output].map((bytes) =>
    bytes.toString('base64').replaceAll('=', ''),
  );
  const { memoryCost, timeCost, parallelism } = COST;
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${saltText}$${outputText}`;
}
