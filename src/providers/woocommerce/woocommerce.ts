import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';
import { wooCommerceHandshake } from './handshake.ts';

/**
 * The base64 HMAC-SHA256 of the body.
 *
 * https://woocommerce.com/document/webhooks/
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'X-WC-Webhook-Signature',
  encoding: 'base64',
  form: { prefix: '' },
  signed: ['body'],
  time: null,
};
const SECRET = "the webhook's secret";

export const woocommerce = {
  name: 'woocommerce',
  title: 'WooCommerce',
  marks: [{ header: 'x-wc-webhook-topic', isType: true, rank: 3 }],
  proof: schemeProof(SCHEME, SECRET),
  once: { by: [['header.x-wc-webhook-delivery-id']] },
  signature: { header: SCHEME.header, scheme: SCHEME, signer: schemeSigner(SCHEME) },
  handshakes: [wooCommerceHandshake],
} satisfies Provider;
