import type { Provider } from '../provider.ts';
import { paypalProof } from './verify.ts';

export const paypal = {
  name: 'paypal',
  title: 'PayPal',
  marks: [{ header: 'paypal-transmission-id', rank: 3 }],
  shapes: [
    (o) => (o('event_type') && o('resource_type') && o('resource') ? o('event_type') : undefined),
  ],
  typePaths: [['event_type']],
  deliveryIdHeader: 'paypal-transmission-id',
  proof: paypalProof,
  once: { by: [['body.id']] },
} satisfies Provider;
