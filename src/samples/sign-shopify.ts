import { createHmac } from 'node:crypto';
import { type Signer, TEST_SECRET } from './signer.ts';

/**
 * The base64 HMAC-SHA256 of the body; the key is the app's client secret.
 *
 * https://shopify.dev/docs/apps/build/webhooks/subscribe/https
 */
export const shopifySigner: Signer = {
  header: 'X-Shopify-Hmac-Sha256',
  testSecret: TEST_SECRET,
  sign({ body }, secret) {
    const hmac = createHmac('sha256', secret).update(body);
    return [['X-Shopify-Hmac-Sha256', hmac.digest('base64')]];
  },
};
