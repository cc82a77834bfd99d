import type { Provider } from '../provider.ts';

export const hubspot = {
  name: 'hubspot',
  title: 'HubSpot',
  marks: [{ header: 'x-hubspot-signature-v3', rank: 3 }],
  shapes: [(o) => (o('0', 'portalId') ? o('0', 'subscriptionType') : undefined)],
} satisfies Provider;
