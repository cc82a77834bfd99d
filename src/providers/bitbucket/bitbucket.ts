import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * `sha256=` and the hexadecimal HMAC-SHA256 of the body.
 *
 * https://support.atlassian.com/bitbucket-cloud/docs/manage-webhooks/#Secure-webhooks
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'X-Hub-Signature',
  encoding: 'hex',
  form: { prefix: 'sha256=' },
  signed: ['body'],
  time: null,
};

export const bitbucket = {
  name: 'bitbucket',
  title: 'Bitbucket',
  marks: [{ header: 'x-event-key', isType: true, rank: 3 }],
  deliveryIdHeader: 'x-request-uuid',
  proof: schemeProof(SCHEME, "the webhook's secret"),
  once: { by: [['header.x-request-uuid']] },
  signature: {
    header: SCHEME.header,
    scheme: SCHEME,
    signer: schemeSigner(SCHEME),
  },
} satisfies Provider;
