import { type KeyObject, verify } from 'node:crypto';
import { P256_SIGNATURE, p256Key } from '../signing/p256.ts';
import type { Proof } from '../signing/proof.ts';
import { headersOf } from '../signing/signed-request.ts';
import { keptKey } from '../signing/verifying-key.ts';
import { VERIFICATION_TOKEN } from './handshake.ts';

const HEADER = 'X-EBAY-SIGNATURE';
/** A base64 JSON object of a key id and a signature. */
const SENT = /^[A-Za-z\d+/]{1,2000}={0,2}$/;
const PEM = /^-----BEGIN PUBLIC KEY-----\s*([A-Za-z\d+/=\s]+?)\s*-----END PUBLIC KEY-----$/;

/**
 * The ECDSA signature (P-256, SHA-1, DER) of the body. The header has it in a base64 JSON object.
 * eBay shows its public keys only to an app with a token of its own, so a person reads the key once
 * and adds it to the source. The verification token only answers the URL check. It verifies no
 * event.
 *
 * https://developer.ebay.com/api-docs/commerce/notification/overview.html
 * https://github.com/eBay/event-notification-nodejs-sdk/blob/main/lib/validator.js
 */
export const ebayProof: Proof = {
  grade: 'verified',
  secret: "the verification token first, then eBay's public keys",
  isPublicKey: (secret) => !VERIFICATION_TOKEN.test(secret),
  problem: (secret) =>
    VERIFICATION_TOKEN.test(secret) || publicKeyOf(secret)
      ? null
      : 'must be a verification token of 32 to 80 letters, digits, _ and -, or a public key of eBay in PEM',
  check(request, secret) {
    const sent = headersOf(request, HEADER);
    if (sent.length === 0) return 'signature_missing';
    const signature = sent.length === 1 ? decodedHeader(sent[0] as string) : null;
    if (signature === null) return 'signature_malformed';
    if (VERIFICATION_TOKEN.test(secret)) return 'key_unavailable';
    const key = keptKey(ebayProof, secret, () => publicKeyOf(secret));
    if (key === null) return 'secret_unreadable';
    request.work?.signature(request.body.length);
    return verify('sha1', request.body, key, signature) ? null : 'signature_mismatch';
  },
};

function decodedHeader(header: string): Buffer | null {
  if (!SENT.test(header)) return null;
  try {
    const sent: unknown = JSON.parse(Buffer.from(header, 'base64').toString('utf8'));
    const text = (sent as { signature?: unknown } | null)?.signature;
    return typeof text === 'string' && P256_SIGNATURE.test(text)
      ? Buffer.from(text, 'base64')
      : null;
  } catch {
    return null;
  }
}

/** Returns the public key of a PEM text. eBay's API gives the PEM on one line. */
function publicKeyOf(secret: string): KeyObject | null {
  const base64 = PEM.exec(secret)?.[1];
  return base64 === undefined ? null : p256Key(base64);
}
