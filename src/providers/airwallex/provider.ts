import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * The hexadecimal HMAC-SHA256 of `<milliseconds><body>`.
 *
 * https://www.airwallex.com/docs/developer-tools/webhooks/listen-for-webhook-events
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'x-signature',
  encoding: 'hex',
  form: { prefix: '' },
  signed: ['time', 'body'],
  time: {
    place: { header: 'x-timestamp' },
    unit: 'ms',
    toleranceMs: 300_000,
    isTwoSided: true,
  },
};

export const airwallex = {
  name: 'airwallex',
  title: 'Airwallex',
  shapes: [
    (o) => (o('account_id') && o('created_at') && o('data', 'object') ? o('name') : undefined),
  ],
  typePaths: [['name']],
  proof: schemeProof(SCHEME, "the webhook's secret"),
  once: { by: [['body.id']] },
  signature: {
    header: SCHEME.header,
    scheme: SCHEME,
    signer: schemeSigner(SCHEME),
  },
} satisfies Provider;
