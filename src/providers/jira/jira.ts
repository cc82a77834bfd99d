import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * `sha256=` and the hexadecimal HMAC-SHA256 of the body.
 *
 * https://developer.atlassian.com/cloud/jira/platform/webhooks/#secure-admin-webhooks
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

export const jira = {
  name: 'jira',
  title: 'Jira',
  marks: [{ header: 'x-atlassian-webhook-identifier', rank: 2 }],
  shapes: [
    (o) =>
      o('webhookEvent') && (o('issue') ?? o('user') ?? o('timestamp'))
        ? o('webhookEvent')
        : undefined,
  ],
  proof: schemeProof(SCHEME, "the webhook's secret"),
  once: { by: [['header.x-atlassian-webhook-identifier']] },
  signature: {
    header: SCHEME.header,
    scheme: SCHEME,
    signer: schemeSigner(SCHEME),
  },
} satisfies Provider;
