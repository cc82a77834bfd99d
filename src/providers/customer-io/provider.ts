import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * The hexadecimal HMAC-SHA256 of `v0:<seconds>:<body>`.
 *
 * https://docs.customer.io/journeys/webhooks/
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'X-CIO-Signature',
  encoding: 'hex',
  form: { prefix: '' },
  signed: [{ text: 'v0:' }, 'time', { text: ':' }, 'body'],
  time: {
    place: { header: 'X-CIO-Timestamp' },
    unit: 's',
    toleranceMs: 300_000,
    isTwoSided: true,
  },
};

export const customerIo = {
  name: 'customer-io',
  title: 'Customer.io',
  marks: [{ header: 'x-cio-signature', rank: 3 }],
  typePaths: [['metric']],
  proof: schemeProof(SCHEME, "the webhook's signing key"),
  once: { by: [['body.event_id']] },
  signature: {
    header: SCHEME.header,
    scheme: SCHEME,
    signer: schemeSigner(SCHEME),
  },
} satisfies Provider;
