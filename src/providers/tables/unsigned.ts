import type { Provider } from '../provider.ts';

/** Providers that hookrelay recognises but can't verify. */
export const UNSIGNED: readonly Provider[] = [
  {
    name: 'gitea',
    title: 'Gitea',
    marks: [{ header: 'x-gitea-event', isType: true, rank: 4 }],
  },
  {
    name: 'chargebee',
    title: 'Chargebee',
    shapes: [
      (o) => (o('event_type') && o('content') && o('webhook_status') ? o('event_type') : undefined),
    ],
  },
  {
    name: 'revenuecat',
    title: 'RevenueCat',
    shapes: [
      (o) => (o('api_version') && o('event', 'app_user_id') ? o('event', 'type') : undefined),
    ],
  },
  {
    name: 'plaid',
    title: 'Plaid',
    shapes: [(o) => (o('webhook_type') && o('webhook_code') ? o('webhook_code') : undefined)],
  },
  {
    name: 'grafana',
    title: 'Grafana',
    shapes: [(o) => (o('orgId') && Array.isArray(o('alerts')) ? o('status') : undefined)],
  },
  {
    name: 'dockerhub',
    title: 'Docker Hub',
    shapes: [(o) => (o('push_data') && o('repository', 'repo_name') ? 'push' : undefined)],
    namedTypes: ['push'],
  },
];
