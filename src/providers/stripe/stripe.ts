import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * `t=<seconds>,v1=` and the hexadecimal HMAC-SHA256 of `<seconds>.<body>`. The
 * key is the endpoint's whole secret, including its `whsec_`.
 *
 * https://docs.stripe.com/webhooks?verify=verify-manually#verify-manually
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'Stripe-Signature',
  encoding: 'hex',
  form: { separator: ',', field: 'v1' },
  signed: ['time', { text: '.' }, 'body'],
  time: { place: { field: 't' }, unit: 's', toleranceMs: 300_000, isTwoSided: false },
};
const SECRET = "the endpoint's signing secret";

export const stripe = {
  name: 'stripe',
  title: 'Stripe',
  marks: [{ header: 'stripe-signature', rank: 3 }],
  shapes: [(o) => (o('object') === 'event' && o('livemode') !== undefined ? o('type') : undefined)],
  typePaths: [['type']],
  proof: { ...schemeProof(SCHEME, SECRET), secretPrefix: 'whsec_' },
  mode: { path: ['livemode'], live: true, test: false },
  once: { by: [['body.id']] },
  signature: {
    header: SCHEME.header,
    scheme: SCHEME,
    handlers: { name: SECRET, variable: 'STRIPE_WEBHOOK_SECRET' },
    signer: schemeSigner(SCHEME),
    rejection: {
      says: /no signatures found matching the expected signature|unable to extract timestamp and signatures|no stripe-signature header|no webhook payload was provided/i,
      secret:
        'the signing secret of the webhook endpoint in Stripe that has this capture URL (each endpoint has its own, and so has "stripe listen")',
      ageStep:
        'Allow more age where the service checks it, in seconds: stripe.webhooks.constructEvent(body, signature, secret, 259200)',
    },
  },
} satisfies Provider;
