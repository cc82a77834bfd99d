import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { HookrelayError } from '../../core/errors.ts';
import { headersWith, partOf, timeText } from './scheme-signer.ts';
import { type Signer, TEST_SECRET } from './signature.ts';
import type { SignatureScheme } from './signature-scheme.ts';

const CURVE = 'ed25519';
/** The bytes before a raw private key in PKCS #8 (RFC 8410, section 7). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * Returns the signer of an Ed25519 scheme. The secret is a private key in PEM. For any other text,
 * the signer derives a key pair.
 */
export function ed25519Signer(scheme: SignatureScheme): Signer {
  return {
    testSecret: TEST_SECRET,
    sign(request, secret) {
      const time = timeText(scheme, request.timestampS);
      const parts = scheme.signed.map((part) => Buffer.from(partOf(part, request, time)));
      const signature = sign(null, Buffer.concat(parts), privateKey(secret));
      return headersWith(scheme, [signature.toString(scheme.encoding)], time);
    },
    /** Returns the raw public key in the encoding that a source takes. */
    verificationKey(secret) {
      const { x } = createPublicKey(privateKey(secret)).export({ format: 'jwk' });
      const encoding = scheme.key === 'hex' ? 'hex' : 'base64';
      return Buffer.from(x as string, 'base64url').toString(encoding);
    },
  };
}

function privateKey(secret: string): KeyObject {
  if (secret.trimStart().startsWith('-----BEGIN ')) return keyInPem(secret);
  const seed = createHash('sha256').update(secret).digest();
  return createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
}

function keyInPem(secret: string): KeyObject {
  try {
    const key = createPrivateKey(secret);
    if (key.asymmetricKeyType === CURVE) return key;
  } catch {
    // The error below covers this case, too.
  }
  throw new HookrelayError('config_invalid', 'the secret is not an Ed25519 private key in PEM', {
    hint: 'openssl genpkey -algorithm ed25519',
  });
}
