import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * The hexadecimal HMAC-SHA256 of the body.
 *
 * https://www.checkout.com/docs/developer-resources/webhooks/manage-webhooks
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'Cko-Signature',
  encoding: 'hex',
  form: { prefix: '' },
  signed: ['body'],
  time: null,
};

export const checkoutCom = {
  name: 'checkout-com',
  title: 'Checkout.com',
  marks: [{ header: 'cko-signature', rank: 3 }],
  typePaths: [['type']],
  proof: schemeProof(SCHEME, "the workflow action's signature key"),
  once: { by: [['body.id']] },
  signature: {
    header: SCHEME.header,
    scheme: SCHEME,
    signer: schemeSigner(SCHEME),
  },
} satisfies Provider;
