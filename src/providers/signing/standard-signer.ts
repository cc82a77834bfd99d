import { HookrelayError } from '../../core/errors.ts';
import {
  isSigningSecret,
  SIGNING_SECRETS,
  sign,
  signingKey,
} from '../../core/secrets/signature.ts';
import type { Signer } from './signature.ts';

/**
 * `v1,` and the base64 HMAC-SHA256 of `<id>.<seconds>.<body>`, as hookrelay's own
 * deliveries are signed. The key is the base64 after `whsec_`.
 *
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#signature-scheme
 */
export const standardSigner: Signer = {
  // "hookrelay-test-secret-24", 24 bytes: the least that the specification allows.
  testSecret: 'whsec_aG9va3JlbGF5LXRlc3Qtc2VjcmV0LTI0',
  sign({ deliveryId, timestampS, body }, secret) {
    if (!isSigningSecret(secret)) {
      throw new HookrelayError('config_invalid', `the secret ${SIGNING_SECRETS}`);
    }
    return [
      ['webhook-id', deliveryId],
      ['webhook-timestamp', String(timestampS)],
      ['webhook-signature', sign(signingKey(secret), deliveryId, timestampS, body)],
    ];
  },
};
