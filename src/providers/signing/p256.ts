import { createPublicKey, type KeyObject } from 'node:crypto';

/** Node's name for P-256 is OpenSSL's. */
export const P256 = 'prime256v1';
/** The base64 of a signature in DER, which has at most 72 bytes. */
export const P256_SIGNATURE = /^[A-Za-z\d+/]{80,96}={0,2}$/;

/** A public key on P-256, in PEM or the base64 of its SubjectPublicKeyInfo; null for any other text. */
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
