import { createHmac } from 'node:crypto';
import type { Provider } from '../provider.ts';
import { withoutHeader } from '../signing/other-schemes.ts';
import type { UnsignedRequest } from '../signing/signature.ts';
import { signatureIn } from '../signing/signed-by.ts';

const HEADER = 'X-Hub-Signature-256';
const SHA1 = {
  algorithm: 'hmac-sha1',
  header: 'X-Hub-Signature',
  form: { prefix: 'sha1=' },
} as const;

/** Old versions of GitHub Enterprise Server send only the SHA-1 form. */
const { proof, signature } = withoutHeader(
  HEADER,
  signatureIn(HEADER, "the webhook's secret", { form: { prefix: 'sha256=' } }),
  SHA1,
);

/** https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries */
export const github = {
  name: 'github',
  title: 'GitHub',
  marks: [{ header: 'x-github-event', isType: true, rank: 3 }],
  deliveryIdHeader: 'x-github-delivery',
  proof,
  once: { by: [['header.x-github-delivery']] },
  signature: {
    ...signature,
    handlers: { name: proof.secret, variable: 'GITHUB_WEBHOOK_SECRET' },
    signer: {
      ...signature.signer,
      /** GitHub also sends the SHA-1 form, for old receivers. */
      sign(request: UnsignedRequest, secret: string) {
        const sha1 = createHmac('sha1', secret).update(request.body).digest('hex');
        return [[SHA1.header, `sha1=${sha1}`] as const, ...signature.signer.sign(request, secret)];
      },
    },
    rejection: {
      says: /x-hub-signature|signature does not match event payload and secret/i,
      secret: 'the secret of the webhook in the settings of the repository, organization or app',
    },
  },
} satisfies Provider;
