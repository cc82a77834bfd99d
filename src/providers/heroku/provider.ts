import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * The base64 HMAC-SHA256 of the body.
 *
 * https://devcenter.heroku.com/articles/app-webhooks#securing-webhook-requests
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'Heroku-Webhook-Hmac-SHA256',
  encoding: 'base64',
  form: { prefix: '' },
  signed: ['body'],
  time: null,
};

export const heroku = {
  name: 'heroku',
  title: 'Heroku',
  marks: [{ header: 'heroku-webhook-hmac-sha256', rank: 3 }],
  proof: schemeProof(SCHEME, "the webhook's secret"),
  once: {
    by: [['body.webhook_metadata.event.id']],
    varies: ['body.webhook_metadata.attempt', 'body.webhook_metadata.delivery'],
  },
  signature: {
    header: SCHEME.header,
    scheme: SCHEME,
    signer: schemeSigner(SCHEME),
  },
} satisfies Provider;
