import { createHmac } from 'node:crypto';

/** Says that the rest of a secret is its key in base64 (Standard Webhooks). */
const BASE64_PREFIX = 'whsec_';

/** What {@link isSigningSecret} takes, for the answer to what it doesn't. */
export const SIGNING_SECRETS =
  'must be whsec_ and standard base64 with its padding, or a text that does not begin with whsec_';

/** What {@link isSigningSecret} takes, as a regular expression. */
export const SIGNING_SECRET_PATTERN =
  '^(?!whsec_)|^whsec_(?=.)(?:[A-Za-z0-9+\\/]{4})*' +
  '(?:[A-Za-z0-9+\\/][AQgw]==|[A-Za-z0-9+\\/]{2}[AEIMQUYcgkosw048]=)?$';

/**
 * Whether receivers arrive at the key that {@link signingKey} makes of a secret.
 * They decode what follows `whsec_`, each library what it can of a wrong
 * spelling (no padding, the URL alphabet, blanks), so only one spelling is safe.
 */
export function isSigningSecret(secret: string): boolean {
  return !secret.startsWith(BASE64_PREFIX) || decodedKey(secret) !== null;
}

/**
 * The HMAC key of a destination's secret: `whsec_` and base64 are decoded,
 * anything else stands for its UTF-8 bytes. So does what {@link isSigningSecret}
 * refuses: older versions took such secrets, and their receivers may know the
 * key as it was.
 */
export function signingKey(secret: string): Buffer {
  const key = secret.startsWith(BASE64_PREFIX) ? decodedKey(secret) : null;
  return key ?? Buffer.from(secret, 'utf8');
}

/** Null where the rest of the secret isn't base64 exactly as an encoder writes it. */
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
