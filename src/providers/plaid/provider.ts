import type { Provider } from '../provider.ts';

export const plaid = {
  name: 'plaid',
  title: 'Plaid',
  shapes: [(o) => (o('webhook_type') && o('webhook_code') ? o('webhook_code') : undefined)],
} satisfies Provider;
