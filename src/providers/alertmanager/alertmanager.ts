import type { Provider } from '../provider.ts';

export const alertmanager = {
  name: 'alertmanager',
  title: 'Alertmanager',
  shapes: [(o) => (o('groupKey') && Array.isArray(o('alerts')) ? o('status') : undefined)],
} satisfies Provider;
