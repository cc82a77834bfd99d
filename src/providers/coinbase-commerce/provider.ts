import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * The hexadecimal HMAC-SHA256 of the body.
 *
 * https://github.com/coinbase/coinbase-commerce-node#validating-webhook-signatures
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'X-CC-Webhook-Signature',
  encoding: 'hex',
  form: { prefix: '' },
  signed: ['body'],
  time: null,
};
const SECRET = "the webhook's shared secret";

export const coinbaseCommerce = {
  name: 'coinbase-commerce',
  title: 'Coinbase Commerce',
  marks: [{ header: 'x-cc-webhook-signature', rank: 3 }],
  typePaths: [['event', 'type']],
  proof: schemeProof(SCHEME, SECRET),
  once: { by: [['body.event.id']] },
  signature: { header: SCHEME.header, scheme: SCHEME, signer: schemeSigner(SCHEME) },
} satisfies Provider;
