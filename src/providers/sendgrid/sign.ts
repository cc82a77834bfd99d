import {
  createECDH,
  createHash,
  createPrivateKey,
  createPublicKey,
  createSign,
  type KeyObject,
} from 'node:crypto';
import { HookrelayError } from '../../core/errors.ts';
import { P256 } from '../signing/p256.ts';
import { type Signer, TEST_SECRET } from '../signing/signature.ts';

/**
 * The base64 ECDSA signature (P-256, SHA-256, DER) of the timestamp followed by the body.
 *
 * The secret is a private key, in PEM or as base64 of its PKCS #8 form. For any other text, the
 * signer derives a key pair.
 *
 * https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features
 */
export const sendgridSigner: Signer = {
  testSecret: TEST_SECRET,
  sign({ body, timestampS }, secret) {
    const signature = createSign('sha256')
      .update(String(timestampS))
      .update(body)
      .sign(privateKey(secret), 'base64');
    return [
      ['X-Twilio-Email-Event-Webhook-Timestamp', String(timestampS)],
      ['X-Twilio-Email-Event-Webhook-Signature', signature],
    ];
  },
  /** The public key as SendGrid shows it: the base64 of its SubjectPublicKeyInfo. */
  verificationKey(secret) {
    const key = createPublicKey(privateKey(secret));
    return key.export({ type: 'spki', format: 'der' }).toString('base64');
  },
};

function privateKey(secret: string): KeyObject {
  const key = givenKey(secret) ?? derivedKey(secret);
  if (key.asymmetricKeyDetails?.namedCurve === P256) return key;
  throw new HookrelayError('config_invalid', 'the key is not an elliptic-curve key on P-256', {
    hint: `openssl ecparam -name ${P256} -genkey -noout`,
  });
}

/** Returns the private key that a secret contains. Returns null if the secret is only text. */
function givenKey(secret: string): KeyObject | null {
  const isPem = secret.trimStart().startsWith('-----BEGIN ');
  try {
    if (isPem) return createPrivateKey(secret);
    const der = Buffer.from(secret, 'base64');
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  } catch (error) {
    if (!isPem) return null;
    throw new HookrelayError('config_invalid', 'the secret is not a private key in PEM', {
      cause: error,
    });
  }
}

function derivedKey(secret: string): KeyObject {
  const scalar = createHash('sha256').update(secret).digest();
  // Any number below the order of the curve is a valid private key.
  scalar[0] = (scalar[0] as number) & 0x7f;
  const pair = createECDH(P256);
  pair.setPrivateKey(scalar);
  const point = pair.getPublicKey();
  return createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      d: scalar.toString('base64url'),
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
}
