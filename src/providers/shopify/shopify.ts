import type { Provider } from '../provider.ts';
import { signatureIn } from '../signing/signed-by.ts';

const SIGNED = signatureIn('X-Shopify-Hmac-Sha256', "the app's client secret", {
  encoding: 'base64',
});

/** https://shopify.dev/docs/apps/build/webhooks/subscribe/https */
export const shopify = {
  name: 'shopify',
  title: 'Shopify',
  marks: [{ header: 'x-shopify-topic', isType: true, rank: 3 }],
  deliveryIdHeader: 'x-shopify-webhook-id',
  // Events of several topics may share an id.
  once: { by: [['header.x-shopify-event-id', 'header.x-shopify-topic']] },
  ...SIGNED,
  signature: {
    ...SIGNED.signature,
    handlers: { name: SIGNED.proof.secret, variable: 'SHOPIFY_CLIENT_SECRET' },
    rejection: {
      says: /shopify.{0,40}(hmac|signature)|(invalid|bad|wrong) hmac|hmac.{0,30}(fail|invalid|match)/i,
      secret:
        "the app's client secret, or what the admin's notification settings show for webhooks made there",
    },
  },
} satisfies Provider;
