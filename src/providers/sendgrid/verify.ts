import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { MOST_SIGNATURES } from '../public-keys.ts';
import type { Proof } from '../signing/proof.ts';
import { headersOf, onlyHeaderOf } from '../signing/verifiable-request.ts';
import { keptKey } from '../signing/verifying-key.ts';

/** Node's name for P-256 is OpenSSL's. */
const CURVE = 'prime256v1';
/** A signature in DER has at most 72 bytes. */
const SIGNATURE = /^[A-Za-z\d+/]{80,96}={0,2}$/;
const TIME = /^\d{1,15}$/;

/**
 * The base64 ECDSA signature (P-256, SHA-256, DER) of the timestamp followed by the body.
 * SendGrid's library accepts any age.
 *
 * https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features
 */
export const sendgridProof: Proof = {
  grade: 'verified',
  secret: 'the verification key',
  isPublicKey: () => true,
  problem: (secret) => (publicKeyOf(secret) ? null : 'must be the verification key in base64'),
  check(request, secret) {
    const sent = headersOf(request, 'X-Twilio-Email-Event-Webhook-Signature');
    if (sent.length === 0) return 'signature_missing';
    const time = onlyHeaderOf(request, 'X-Twilio-Email-Event-Webhook-Timestamp');
    const signatures = sent.filter((one) => SIGNATURE.test(one));
    const isFew = signatures.length > 0 && sent.length <= MOST_SIGNATURES;
    if (!isFew || time === null || !TIME.test(time)) return 'signature_malformed';
    const key = keptKey(sendgridProof, secret, () => publicKeyOf(secret));
    if (key === null) return 'secret_unreadable';
    const signed = Buffer.concat([Buffer.from(time), request.body]);
    const fits = signatures.some((one) => {
      request.work?.signature(signed.length);
      return verify('sha256', signed, key, Buffer.from(one, 'base64'));
    });
    return fits ? null : 'signature_mismatch';
  },
};

/** The key as SendGrid shows it, the base64 of its SubjectPublicKeyInfo, or in PEM. */
function publicKeyOf(secret: string): KeyObject | null {
  try {
    const key = secret.trimStart().startsWith('-----BEGIN PUBLIC KEY')
      ? createPublicKey(secret)
      : createPublicKey({ key: Buffer.from(secret, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyDetails?.namedCurve === CURVE ? key : null;
  } catch {
    return null;
  }
}
