import { createHmac } from 'node:crypto';
import type { Provider } from '../provider.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { Signer } from '../signing/signature.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';
import { githubProof } from './verify.ts';

/**
 * `sha256=` and the hexadecimal HMAC-SHA256 of the body.
 *
 * https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'X-Hub-Signature-256',
  encoding: 'hex',
  form: { prefix: 'sha256=' },
  signed: ['body'],
  time: null,
};
const SECRET = "the webhook's secret";

const SIGNER = schemeSigner(SCHEME);

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
  proof: githubProof(SCHEME, SECRET),
  once: { by: [['header.x-github-delivery']] },
  signature: {
    header: SCHEME.header,
    scheme: SCHEME,
    handlers: { name: SECRET, variable: 'GITHUB_WEBHOOK_SECRET' },
    signer: SIGNER_WITH_SHA1,
    rejection: {
      says: /x-hub-signature|signature does not match event payload and secret/i,
      secret: 'the secret of the webhook in the settings of the repository, organization or app',
    },
  },
} satisfies Provider;
