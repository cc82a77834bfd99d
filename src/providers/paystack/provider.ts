import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * The hexadecimal HMAC-SHA512 of the body.
 *
 * https://paystack.com/docs/payments/webhooks/#verify-event-origin
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha512',
  key: 'text',
  header: 'x-paystack-signature',
  encoding: 'hex',
  form: { prefix: '' },
  signed: ['body'],
  time: null,
};
const SECRET = "the account's secret key";

export const paystack = {
  name: 'paystack',
  title: 'Paystack',
  marks: [{ header: 'x-paystack-signature', rank: 3 }],
  typePaths: [['event']],
  proof: schemeProof(SCHEME, SECRET),
  signature: { header: SCHEME.header, scheme: SCHEME, signer: schemeSigner(SCHEME) },
} satisfies Provider;
