import type { Provider } from '../provider.ts';
import type { HmacScheme } from '../signing/hmac-scheme.ts';
import { hmacSigner } from '../signing/hmac-signer.ts';

const HEADER = 'X-Shopify-Hmac-Sha256';

/**
 * The base64 HMAC-SHA256 of the body; the key is the app's client secret.
 *
 * https://shopify.dev/docs/apps/build/webhooks/subscribe/https
 */
const HMAC: HmacScheme = {
  hash: 'sha256',
  encoding: 'base64',
  prefix: '',
  time: null,
  secret: { name: "the app's client secret", variable: 'SHOPIFY_CLIENT_SECRET' },
};

export const shopify = {
  name: 'shopify',
  title: 'Shopify',
  marks: [{ header: 'x-shopify-topic', isType: true, rank: 3 }],
  deliveryIdHeader: 'x-shopify-webhook-id',
  signature: {
    header: HEADER,
    hmac: HMAC,
    signer: hmacSigner(HEADER, HMAC),
    rejection: {
      says: /shopify.{0,40}(hmac|signature)|(invalid|bad|wrong) hmac|hmac.{0,30}(fail|invalid|match)/i,
      secret:
        "the app's client secret, or what the admin's notification settings show for webhooks made there",
    },
  },
} satisfies Provider;
