import { randomFillSync } from 'node:crypto';
import { ID_DIGITS } from './text/id-time.ts';

/** Type prefixes of public ids. */
export type IdPrefix =
  | 'usr'
  | 'ep'
  | 'dst'
  | 'evt'
  | 'rej'
  | 'dlv'
  | 'att'
  | 'ses'
  | 'tok'
  | 'job'
  | 'req'
  | 'aud'
  | 'iss'
  | 'chn'
  | 'msg';

/** Size of the pool of random bytes. One system call fills it for 400 ids. */
const POOL_BYTES = 4000;
const RANDOM_BYTES_PER_ID = 10;
const pool = new Uint8Array(POOL_BYTES);
let poolOffset = POOL_BYTES;

/**
 * Returns a new TypeID: `prefix_` and a UUIDv7 (RFC 9562, section 5.7) as 26 characters of
 * Crockford base32. Ids sort by creation time, to the millisecond, so indexes of ids grow at their
 * end.
 */
export function newId(prefix: IdPrefix, nowMs: number): string {
  if (poolOffset + RANDOM_BYTES_PER_ID > POOL_BYTES) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  const bytes = new Uint8Array(16);
  bytes.set(pool.subarray(poolOffset, poolOffset + RANDOM_BYTES_PER_ID), 6);
  poolOffset += RANDOM_BYTES_PER_ID;
  let ms = Math.max(0, Math.trunc(nowMs));
  for (let i = 5; i >= 0; i--) {
    bytes[i] = ms % 256;
    ms = Math.floor(ms / 256);
  }
  bytes[6] = 0x70 | ((bytes[6] as number) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] as number) & 0x3f);
  return `${prefix}_${toBase32(bytes)}`;
}

/** Writes 128 bits as 26 base32 digits. Two zero bits come first (the TypeID layout). */
function toBase32(bytes: Uint8Array): string {
  let text = '';
  let buffer = 0;
  let bits = 2;
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ID_DIGITS[(buffer >> bits) & 31];
      buffer &= (1 << bits) - 1;
    }
  }
  return text;
}
