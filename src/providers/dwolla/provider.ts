import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * The hexadecimal HMAC-SHA256 of the body.
 *
 * https://developers.dwolla.com/docs/working-with-webhooks
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'X-Request-Signature-SHA-256',
  encoding: 'hex',
  form: { prefix: '' },
  signed: ['body'],
  time: null,
};

export const dwolla = {
  name: 'dwolla',
  title: 'Dwolla',
  marks: [
    { header: 'x-dwolla-topic', isType: true, rank: 4 },
    { header: 'x-request-signature-sha-256', rank: 3 },
  ],
  typePaths: [['topic']],
  proof: schemeProof(SCHEME, "the webhook subscription's secret"),
  once: { by: [['body.id']] },
  signature: {
    header: SCHEME.header,
    scheme: SCHEME,
    signer: schemeSigner(SCHEME),
  },
} satisfies Provider;
