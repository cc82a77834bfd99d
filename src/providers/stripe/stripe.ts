import type { Provider } from '../provider.ts';
import { ownSignatureIn } from '../signing/signed-by.ts';

const SIGNED = ownSignatureIn('Stripe-Signature', "the endpoint's signing secret", {
  form: { separator: ',', field: 'v1' },
  signed: ['time', { text: '.' }, 'body'],
  time: { place: { field: 't' }, unit: 's', toleranceMs: 300_000, isTwoSided: false },
});

/**
 * The key is the text of the endpoint's secret, including `whsec_`.
 *
 * https://docs.stripe.com/webhooks?verify=verify-manually#verify-manually
 */
export const stripe = {
  name: 'stripe',
  title: 'Stripe',
  shapes: [(o) => (o('object') === 'event' && o('livemode') !== undefined ? o('type') : undefined)],
  typePaths: [['type']],
  mode: { path: ['livemode'], live: true, test: false },
  once: { by: [['body.id']] },
  ...SIGNED,
  proof: { ...SIGNED.proof, secretPrefix: 'whsec_' },
  signature: {
    ...SIGNED.signature,
    handlers: { name: SIGNED.proof.secret, variable: 'STRIPE_WEBHOOK_SECRET' },
    rejection: {
      says: /no signatures found matching the expected signature|unable to extract timestamp and signatures|no stripe-signature header|no webhook payload was provided/i,
      secret:
        'the signing secret of the webhook endpoint in Stripe that has this capture URL (each endpoint has its own, and so has "stripe listen")',
    },
  },
} satisfies Provider;
