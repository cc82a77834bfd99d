import { verify } from 'node:crypto';
import { MOST_SIGNATURES } from '../public-keys.ts';
import { P256_SIGNATURE, p256Key } from '../signing/p256.ts';
import type { Proof } from '../signing/proof.ts';
import { headersOf, onlyHeaderOf } from '../signing/signed-request.ts';
import { keptKey } from '../signing/verifying-key.ts';

const TIME = /^\d{1,15}$/;

/**
 * The base64 ECDSA signature (P-256, SHA-256, DER) of the timestamp followed by the body.
 * SendGrid's library accepts a signature of any age.
 *
 * https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features
 */
export const sendgridProof: Proof = {
  grade: 'verified',
  secret: 'the verification key',
  isPublicKey: () => true,
  problem: (secret) => (p256Key(secret) ? null : 'must be the verification key in base64'),
  check(request, secret) {
    const sent = headersOf(request, 'X-Twilio-Email-Event-Webhook-Signature');
    if (sent.length === 0) return 'signature_missing';
    const time = onlyHeaderOf(request, 'X-Twilio-Email-Event-Webhook-Timestamp');
    const signatures = sent.filter((one) => P256_SIGNATURE.test(one));
    const isFew = signatures.length > 0 && sent.length <= MOST_SIGNATURES;
    if (!isFew || time === null || !TIME.test(time)) return 'signature_malformed';
    const key = keptKey(sendgridProof, secret, () => p256Key(secret));
    if (key === null) return 'secret_unreadable';
    const signed = Buffer.concat([Buffer.from(time), request.body]);
    const fits = signatures.some((one) => {
      request.work?.signature(signed.length);
      return verify('sha256', signed, key, Buffer.from(one, 'base64'));
    });
    return fits ? null : 'signature_mismatch';
  },
};
