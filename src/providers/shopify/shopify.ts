import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * The base64 HMAC-SHA256 of the body; the key is the app's client secret.
 *
 * https://shopify.dev/docs/apps/build/webhooks/subscribe/https
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'X-Shopify-Hmac-Sha256',
  encoding: 'base64',
  form: { prefix: '' },
  signed: ['body'],
  time: null,
};
const SECRET = "the app's client secret";

export const shopify = {
  name: 'shopify',
  title: 'Shopify',
  marks: [{ header: 'x-shopify-topic', isType: true, rank: 3 }],
  deliveryIdHeader: 'x-shopify-webhook-id',
  proof: schemeProof(SCHEME, SECRET),
  // Events of several topics may share an id.
  once: { by: [['header.x-shopify-event-id', 'header.x-shopify-topic']] },
  signature: {
    header: SCHEME.header,
    scheme: SCHEME,
    handlers: { name: SECRET, variable: 'SHOPIFY_CLIENT_SECRET' },
    signer: schemeSigner(SCHEME),
    rejection: {
      says: /shopify.{0,40}(hmac|signature)|(invalid|bad|wrong) hmac|hmac.{0,30}(fail|invalid|match)/i,
      secret:
        "the app's client secret, or what the admin's notification settings show for webhooks made there",
    },
  },
} satisfies Provider;
