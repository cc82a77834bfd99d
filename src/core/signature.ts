import { createHmac } from 'node:crypto';

/** Says that the rest of a secret is its key in base64 (Standard Webhooks). */
const BASE64_PREFIX = 'whsec_';

/**
 * The HMAC key of a destination's secret: `whsec_` and base64 are decoded,
 * anything else stands for its UTF-8 bytes. So does a `whsec_` whose rest isn't
 * base64 exactly as an encoder writes it: decoding it leniently would make a
 * key that the receiver's library doesn't arrive at.
 */
export function signingKey(secret: string): Buffer {
  if (secret.startsWith(BASE64_PREFIX)) {
    const encoded = secret.slice(BASE64_PREFIX.length);
    const key = Buffer.from(encoded, 'base64');
    if (key.length > 0 && key.toString('base64') === encoded) return key;
  }
  return Buffer.from(secret, 'utf8');
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
