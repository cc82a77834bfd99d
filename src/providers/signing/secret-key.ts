import { createPublicKey, type KeyObject } from 'node:crypto';
import { isSigningSecret, signingKey } from '../../core/secrets/signature.ts';
import type { KeyForm, SignatureScheme } from './signature-scheme.ts';

const STANDARD_PREFIX = 'whsec_';
const RAW_ED25519_BYTES = 32;
/** The bytes before a raw key in its SubjectPublicKeyInfo (RFC 8410, section 4). */
const ED25519_SPKI = Buffer.from('302a300506032b6570032100', 'hex');

/** What the secret must be, by form of key. Follows "the secret". */
export const KEY_FORMS: Record<KeyForm, string> = {
  text: 'must be a text',
  hex: 'must be hexadecimal digits',
  base64: 'must be base64',
  standard: 'must be whsec_ and standard base64 with its padding',
};

/** Returns a scheme's HMAC key or public key. Returns null if the secret has another form. */
export function keyOf(
  { algorithm, key }: Pick<SignatureScheme, 'algorithm' | 'key'>,
  secret: string,
): Buffer | KeyObject | null {
  const bytes = decoded(key, secret);
  if (bytes === null || algorithm !== 'ed25519') return bytes;
  if (bytes.length !== RAW_ED25519_BYTES) return null;
  return createPublicKey({
    key: Buffer.concat([ED25519_SPKI, bytes]),
    format: 'der',
    type: 'spki',
  });
}

function decoded(form: KeyForm, secret: string): Buffer | null {
  if (form === 'text') return Buffer.from(secret, 'utf8');
  if (form === 'standard') {
    return secret.startsWith(STANDARD_PREFIX) && isSigningSecret(secret)
      ? signingKey(secret)
      : null;
  }
  if (form === 'hex') return /^(?:[\da-f]{2})+$/i.test(secret) ? Buffer.from(secret, 'hex') : null;
  const bytes = Buffer.from(secret, 'base64');
  const isBase64 = bytes.toString('base64').replace(/=+$/, '') === secret.replace(/=+$/, '');
  return isBase64 && bytes.length > 0 ? bytes : null;
}
