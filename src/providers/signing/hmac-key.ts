import { createHash, hash } from 'node:crypto';
import type { SignatureAlgorithm } from './signature-scheme.ts';

export type HmacAlgorithm = Exclude<SignatureAlgorithm, 'ed25519'>;

/** The block sizes of the hashes, bytes (FIPS 180-4, section 1). */
const BLOCK_BYTES: Record<HmacAlgorithm, number> = {
  'hmac-sha1': 64,
  'hmac-sha256': 64,
  'hmac-sha512': 128,
};
/** A buffer for a key's block and a message. A longer message is hashed without copying it. */
const SCRATCH = Buffer.alloc(16 * 1024);

/**
 * The key of an HMAC, prepared for many messages (RFC 2104, section 4).
 *
 * `createHmac` allocates a native object for each message. On a busy thread, collecting these
 * objects takes twice as long as two calls of `hash`.
 */
export class HmacKey {
  readonly #hash: string;
  /** The key's block for the inner hash. */
  readonly #inner: Buffer;
  /** The key's block for the outer hash, followed by space for the inner hash. */
  readonly #outer: Buffer;

  constructor(algorithm: HmacAlgorithm, key: Buffer) {
    const size = BLOCK_BYTES[algorithm];
    this.#hash = algorithm.slice('hmac-'.length);
    const block = Buffer.alloc(size);
    block.set(key.length > size ? hash(this.#hash, key, 'buffer') : key);
    const digestBytes = hash(this.#hash, '', 'buffer').length;
    this.#inner = Buffer.from(block.map((byte) => byte ^ 0x36));
    this.#outer = Buffer.concat([block.map((byte) => byte ^ 0x5c), Buffer.alloc(digestBytes)]);
  }

  /**
   * Returns the HMAC of the concatenated parts in hexadecimal digits. Texts are hashed as UTF-8.
   */
  digest(parts: readonly (string | Buffer)[]): string {
    this.#outer.write(this.#innerDigest(parts), this.#inner.length, 'hex');
    return hash(this.#hash, this.#outer, 'hex');
  }

  #innerDigest(parts: readonly (string | Buffer)[]): string {
    const size = parts.reduce((sum, part) => sum + Buffer.byteLength(part), this.#inner.length);
    if (size > SCRATCH.length) {
      const inner = createHash(this.#hash).update(this.#inner);
      for (const part of parts) inner.update(part);
      return inner.digest('hex');
    }
    SCRATCH.set(this.#inner);
    let at = this.#inner.length;
    for (const part of parts) {
      if (typeof part === 'string') SCRATCH.write(part, at);
      else SCRATCH.set(part, at);
      at += Buffer.byteLength(part);
    }
    return hash(this.#hash, SCRATCH.subarray(0, at), 'hex');
  }
}
