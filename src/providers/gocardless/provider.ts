import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * The hexadecimal HMAC-SHA256 of the body.
 *
 * https://developer.gocardless.com/api-reference/#webhooks-signing-webhooks
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'Webhook-Signature',
  encoding: 'hex',
  form: { prefix: '' },
  signed: ['body'],
  time: null,
};

export const gocardless = {
  name: 'gocardless',
  title: 'GoCardless',
  shapes: [
    (o) =>
      o('meta', 'webhook_id') && o('events')
        ? (o('events', '0', 'resource_type') ?? null)
        : undefined,
  ],
  proof: schemeProof(SCHEME, "the webhook endpoint's secret"),
  once: { by: [['body.meta.webhook_id']] },
  signature: {
    header: SCHEME.header,
    scheme: SCHEME,
    signer: schemeSigner(SCHEME),
  },
} satisfies Provider;
