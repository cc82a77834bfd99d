import type { Provider } from '../provider.ts';
import { signatureIn } from '../signing/signed-by.ts';
import { wooCommerceHandshake } from './handshake.ts';

/** https://woocommerce.com/document/webhooks/ */
export const woocommerce = {
  name: 'woocommerce',
  title: 'WooCommerce',
  marks: [{ header: 'x-wc-webhook-topic', isType: true, rank: 3 }],
  once: { by: [['header.x-wc-webhook-delivery-id']] },
  handshakes: [wooCommerceHandshake],
  ...signatureIn('X-WC-Webhook-Signature', "the webhook's secret", { encoding: 'base64' }),
} satisfies Provider;
