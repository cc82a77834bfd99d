import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * The hexadecimal HMAC-SHA256 of the body. Retries repeat the event id.
 *
 * https://razorpay.com/docs/webhooks/validate-test/
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'X-Razorpay-Signature',
  encoding: 'hex',
  form: { prefix: '' },
  signed: ['body'],
  time: null,
};
const SECRET = "the webhook's secret";

export const razorpay = {
  name: 'razorpay',
  title: 'Razorpay',
  marks: [{ header: 'x-razorpay-signature', rank: 3 }],
  shapes: [(o) => (o('entity') === 'event' && o('account_id') ? o('event') : undefined)],
  typePaths: [['event']],
  deliveryIdHeader: 'x-razorpay-event-id',
  proof: schemeProof(SCHEME, SECRET),
  once: { by: [['header.x-razorpay-event-id']] },
  signature: { header: SCHEME.header, scheme: SCHEME, signer: schemeSigner(SCHEME) },
} satisfies Provider;
