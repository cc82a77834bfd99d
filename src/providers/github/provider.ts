import { createHmac } from 'node:crypto';
import type { Provider } from '../provider.ts';
import type { HmacScheme } from '../signing/hmac-scheme.ts';
import { hmacSigner } from '../signing/hmac-signer.ts';
import type { Signer } from '../signing/signature.ts';

const HEADER = 'X-Hub-Signature-256';

/**
 * `sha256=` and the hexadecimal HMAC-SHA256 of the body.
 *
 * https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
 */
const HMAC: HmacScheme = {
  hash: 'sha256',
  encoding: 'hex',
  prefix: 'sha256=',
  time: null,
  secret: { name: "the webhook's secret", variable: 'GITHUB_WEBHOOK_SECRET' },
};

const SIGNER = hmacSigner(HEADER, HMAC);

/** GitHub still sends the SHA-1 form beside it, for old receivers. */
const SIGNER_WITH_SHA1: Signer = {
  ...SIGNER,
  sign(request, secret) {
    const sha1 = createHmac('sha1', secret).update(request.body).digest('hex');
    return [['X-Hub-Signature', `sha1=${sha1}`], ...SIGNER.sign(request, secret)];
  },
};

export const github = {
  name: 'github',
  title: 'GitHub',
  marks: [{ header: 'x-github-event', isType: true, rank: 3 }],
  deliveryIdHeader: 'x-github-delivery',
  signature: {
    header: HEADER,
    hmac: HMAC,
    signer: SIGNER_WITH_SHA1,
    rejection: {
      says: /x-hub-signature|signature does not match event payload and secret/i,
      secret: 'the secret of the webhook in the settings of the repository, organization or app',
    },
  },
} satisfies Provider;
