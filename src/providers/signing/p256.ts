import { createPublicKey, type KeyObject } from 'node:crypto';

/** The name of P-256 in Node and OpenSSL. */
export const P256 = 'prime256v1';
/** The base64 of a DER signature, which has at most 72 bytes. */
export const P256_SIGNATURE = /^[A-Za-z\d+/]{80,96}={0,2}$/;

/**
 * Returns the P-256 public key of a text: PEM, or base64 of the SubjectPublicKeyInfo. Returns null
 * for any other text.
 */
export function p256Key(text: string): KeyObject | null {
  try {
    const key = text.trimStart().startsWith('-----BEGIN PUBLIC KEY')
      ? createPublicKey(text)
      : createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyDetails?.namedCurve === P256 ? key : null;
  } catch {
    return null;
  }
}
