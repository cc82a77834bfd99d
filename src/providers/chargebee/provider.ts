import type { Provider } from '../provider.ts';

export const chargebee = {
  name: 'chargebee',
  title: 'Chargebee',
  shapes: [
    (o) => (o('event_type') && o('content') && o('webhook_status') ? o('event_type') : undefined),
  ],
} satisfies Provider;
