import type { Provider } from '../provider.ts';
import type { HmacScheme } from '../signing/hmac-scheme.ts';
import { hmacSigner } from '../signing/hmac-signer.ts';

const HEADER = 'Stripe-Signature';

/**
 * `t=<seconds>,v1=` and the hexadecimal HMAC-SHA256 of `<seconds>.<body>`. The
 * key is the endpoint's whole secret, including its `whsec_`.
 *
 * https://docs.stripe.com/webhooks?verify=verify-manually#verify-manually
 */
const HMAC: HmacScheme = {
  hash: 'sha256',
  encoding: 'hex',
  prefix: '',
  time: {
    place: { timeField: 't', signatureField: 'v1' },
    before: '',
    after: '.',
    toleranceS: 300,
  },
  secret: { name: "the endpoint's signing secret", variable: 'STRIPE_WEBHOOK_SECRET' },
};

export const stripe = {
  name: 'stripe',
  title: 'Stripe',
  marks: [{ header: 'stripe-signature', rank: 3 }],
  shapes: [(o) => (o('object') === 'event' && o('livemode') !== undefined ? o('type') : undefined)],
  typePaths: [['type']],
  signature: {
    header: HEADER,
    hmac: HMAC,
    signer: hmacSigner(HEADER, HMAC),
    rejection: {
      says: /no signatures found matching the expected signature|unable to extract timestamp and signatures|no stripe-signature header|no webhook payload was provided/i,
      secret:
        'the signing secret of the webhook endpoint in Stripe that has this capture URL (each endpoint has its own, and so has "stripe listen")',
      ageStep:
        'Allow more age where the service checks it, in seconds: stripe.webhooks.constructEvent(body, signature, secret, 259200)',
    },
  },
} satisfies Provider;
