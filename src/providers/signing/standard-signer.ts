import { HookrelayError } from '../../core/errors.ts';
import {
  isSigningSecret,
  SIGNING_SECRETS,
  sign,
  signingKey,
} from '../../core/secrets/signature.ts';
import type { Signer, UnsignedRequest } from './signature.ts';
import { PUBLIC_KEY_PREFIX, type StandardPrefix } from './standard-proof.ts';

/** Returns a Standard Webhooks signer. hookrelay signs its own deliveries in the same way. */
export function standardSignerOf(prefix: StandardPrefix) {
  const signAll = (
    { deliveryId, timestampS, body }: UnsignedRequest,
    secrets: readonly string[],
  ): [string, string][] => {
    if (secrets.some((secret) => secret.startsWith(PUBLIC_KEY_PREFIX))) {
      throw new HookrelayError('config_invalid', 'the secret is a public key, which cannot sign');
    }
    if (!secrets.every(isSigningSecret)) {
      throw new HookrelayError('config_invalid', `the secret ${SIGNING_SECRETS}`);
    }
    const signatures = secrets.map((secret) =>
      sign(signingKey(secret), deliveryId, timestampS, body),
    );
    return [
      [`${prefix}-id`, deliveryId],
      [`${prefix}-timestamp`, String(timestampS)],
      [`${prefix}-signature`, signatures.join(' ')],
    ];
  };
  return {
    // "hookrelay-test-secret-24". The specification requires at least 24 bytes.
    testSecret: 'whsec_aG9va3JlbGF5LXRlc3Qtc2VjcmV0LTI0',
    sign: (request: UnsignedRequest, secret: string) => signAll(request, [secret]),
    signAll,
  } satisfies Signer;
}

export const standardSigner = standardSignerOf('webhook');
