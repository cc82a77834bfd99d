import type { Provider } from '../provider.ts';

export const bitbucket = {
  name: 'bitbucket',
  title: 'Bitbucket',
  marks: [{ header: 'x-event-key', isType: true, rank: 3 }],
  deliveryIdHeader: 'x-request-uuid',
} satisfies Provider;
