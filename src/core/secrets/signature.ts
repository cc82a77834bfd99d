import { createHmac } from 'node:crypto';

/** The prefix of a secret in base64 (Standard Webhooks). */
const BASE64_PREFIX = 'whsec_';

/** The text in error messages for what {@link isSigningSecret} accepts. */
export const SIGNING_SECRETS =
  'must be whsec_ and standard base64 with its padding, or a text that does not begin with whsec_';

/** A regular expression for the secrets that {@link isSigningSecret} accepts. */
export const SIGNING_SECRET_PATTERN =
  '^(?!whsec_)|^whsec_(?=.)(?:[A-Za-z0-9+\\/]{4})*' +
  '(?:[A-Za-z0-9+\\/][AQgw]==|[A-Za-z0-9+\\/]{2}[AEIMQUYcgkosw048]=)?$';

/**
 * Returns whether every receiver derives the same key as {@link signingKey}. After `whsec_`, only
 * standard base64 is safe. Libraries differ in missing padding, the URL alphabet and spaces.
 */
export function isSigningSecret(secret: string): boolean {
  return !secret.startsWith(BASE64_PREFIX) || decodedKey(secret) !== null;
}

/**
 * Returns the HMAC key of a destination's secret: the decoded base64 after `whsec_`, or the UTF-8
 * bytes of any other text.
 *
 * Older databases may have secrets that {@link isSigningSecret} refuses. Their key is the whole
 * text, because their receivers use that key.
 */
export function signingKey(secret: string): Buffer {
  const key = secret.startsWith(BASE64_PREFIX) ? decodedKey(secret) : null;
  return key ?? Buffer.from(secret, 'utf8');
}

/** Returns the decoded key. Null if the rest of the secret isn't canonical base64. */
function decodedKey(secret: string): Buffer | null {
  const encoded = secret.slice(BASE64_PREFIX.length);
  const key = Buffer.from(encoded, 'base64');
  return key.length > 0 && key.toString('base64') === encoded ? key : null;
}

/**
 * Returns the value of `webhook-signature` (Standard Webhooks): `v1,` and the base64 HMAC-SHA256 of
 * `id.timestamp.body`, over the raw bytes of the body.
 *
 * @param timestampS Unix seconds, the same as in `webhook-timestamp`
 */
export function sign(key: Buffer, id: string, timestampS: number, body: Uint8Array): string {
  const hmac = createHmac('sha256', key).update(`${id}.${timestampS}.`).update(body);
  return `v1,${hmac.digest('base64')}`;
}
