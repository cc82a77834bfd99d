import type { Provider } from '../provider.ts';

export const linear = {
  name: 'linear',
  title: 'Linear',
  marks: [{ header: 'linear-event', isType: true, rank: 3 }],
  shapes: [(o) => (o('webhookTimestamp') && o('organizationId') ? o('type') : undefined)],
  typePaths: [['type']],
  deliveryIdHeader: 'linear-delivery',
} satisfies Provider;
