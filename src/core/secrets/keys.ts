import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** The version of the sealing key: the first byte of a sealed value. */
const KEY_VERSION = 1;

/**
 * The server's keys, derived from its one secret by HKDF-SHA256 (RFC 5869). Each key has one
 * purpose. A leaked key reveals nothing about the other keys.
 */
export class Keys {
  /** Signs access tokens (HS256). */
  readonly accessTokens: Uint8Array;
  /** Derives refresh tokens from a session and its generation. */
  readonly refreshTokens: Uint8Array;
  /** Identifies the secret without revealing it. Databases store it to detect a wrong secret. */
  readonly checkValue: string;
  readonly #sealing: Uint8Array;

  /** @param secret at least 32 random bytes */
  constructor(secret: Uint8Array) {
    this.accessTokens = derive(secret, 'access-tokens');
    this.refreshTokens = derive(secret, 'refresh-tokens');
    this.#sealing = derive(secret, 'sealing');
    this.checkValue = createHmac('sha256', derive(secret, 'check')).update('check').digest('hex');
  }

  /**
   * Encrypts a text with AES-256-GCM. Returns the version, the nonce, the ciphertext and the tag.
   * The tag covers `owner`, the id of the row. So a value that an attacker copies to another row
   * doesn't open.
   */
  seal(plaintext: string, owner: string): Uint8Array {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#sealing, nonce);
    cipher.setAAD(Buffer.from(owner));
    return Buffer.concat([
      Buffer.of(KEY_VERSION),
      nonce,
      cipher.update(plaintext, 'utf8'),
      cipher.final(),
      cipher.getAuthTag(),
    ]);
  }

  /** Decrypts a sealed value. Returns null for another key, another owner or a damaged value. */
  open(sealed: Uint8Array, owner: string): string | null {
    const bytes = Buffer.from(sealed);
    const bodyAt = 1 + NONCE_BYTES;
    if (bytes.length < bodyAt + TAG_BYTES || bytes[0] !== KEY_VERSION) return null;
    const decipher = createDecipheriv('aes-256-gcm', this.#sealing, bytes.subarray(1, bodyAt), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(owner));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const text = decipher.update(bytes.subarray(bodyAt, -TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch {
      return null;
    }
  }
}

function derive(secret: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', `hookrelay/${purpose}`, KEY_BYTES));
}
