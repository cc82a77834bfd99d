import type { Provider } from '../provider.ts';

export const revenuecat = {
  name: 'revenuecat',
  title: 'RevenueCat',
  shapes: [(o) => (o('api_version') && o('event', 'app_user_id') ? o('event', 'type') : undefined)],
} satisfies Provider;
