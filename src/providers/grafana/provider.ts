import type { Provider } from '../provider.ts';

export const grafana = {
  name: 'grafana',
  title: 'Grafana',
  shapes: [(o) => (o('orgId') && Array.isArray(o('alerts')) ? o('status') : undefined)],
} satisfies Provider;
