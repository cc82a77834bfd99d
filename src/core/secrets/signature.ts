import { createHmac } from 'node:crypto';

/** Prefix of a secret whose rest is the key in base64 (Standard Webhooks). */
const BASE64_PREFIX = 'whsec_';

/** The rule of {@link isSigningSecret}, for error messages. */
export const SIGNING_SECRETS =
  'must be whsec_ and standard base64 with its padding, or a text that does not begin with whsec_';

/** The rule of {@link isSigningSecret} as a regular expression. */
export const SIGNING_SECRET_PATTERN =
  '^(?!whsec_)|^whsec_(?=.)(?:[A-Za-z0-9+\\/]{4})*' +
  '(?:[A-Za-z0-9+\\/][AQgw]==|[A-Za-z0-9+\\/]{2}[AEIMQUYcgkosw048]=)?$';

/**
 * Whether every receiver derives the same key from a secret as {@link signingKey}. After `whsec_`
 * only standard base64 is safe: libraries differ on missing padding, the URL alphabet and spaces.
 */
export function isSigningSecret(secret: string): boolean {
  return !secret.startsWith(BASE64_PREFIX) || decodedKey(secret) !== null;
}

/**
 * The HMAC key of a destination's secret: the decoded base64 after `whsec_`, or the UTF-8 bytes of
 * any other text. A database of an older version may have secrets that {@link isSigningSecret}
 * refuses. Their receivers know the key of the whole text, so they keep it.
 */
export function signingKey(secret: string): Buffer {
  const key = secret.startsWith(BASE64_PREFIX) ? decodedKey(secret) : null;
  return key ?? Buffer.from(secret, 'utf8');
}

/** The decoded key; null unless the rest of the secret is canonical base64. */
function decodedKey(secret: string): Buffer | null {
  const encoded = secret.slice(BASE64_PREFIX.length);
  const key = Buffer.from(encoded, 'base64');
  return key.length > 0 && key.toString('base64') === encoded ? key : null;
}

/**
 * The value of `webhook-signature` (Standard Webhooks): `v1,` and the base64
 * HMAC-SHA256 of `id.timestamp.body`, over the body's raw bytes.
 *
 * @param timestampS Unix seconds, the same as in `webhook-timestamp`
 */
export function sign(key: Buffer, id: string, timestampS: number, body: Uint8Array): string {
  const hmac = createHmac('sha256', key).update(`${id}.${timestampS}.`).update(body);
  return `v1,${hmac.digest('base64')}`;
}
