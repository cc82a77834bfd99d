import type { Provider } from '../provider.ts';

export const woocommerce = {
  name: 'woocommerce',
  title: 'WooCommerce',
  marks: [{ header: 'x-wc-webhook-topic', isType: true, rank: 3 }],
} satisfies Provider;
