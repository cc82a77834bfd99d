import type { Provider } from '../provider.ts';

export const pagerduty = {
  name: 'pagerduty',
  title: 'PagerDuty',
  marks: [{ header: 'x-pagerduty-signature', rank: 3 }],
  shapes: [(o) => (o('event', 'resource_type') ? o('event', 'event_type') : undefined)],
  typePaths: [['event', 'event_type']],
} satisfies Provider;
