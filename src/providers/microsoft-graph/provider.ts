import type { Provider } from '../provider.ts';

export const microsoftGraph = {
  name: 'microsoft-graph',
  title: 'Microsoft Graph',
  handshake: {
    /** https://learn.microsoft.com/graph/change-notifications-delivery-webhooks */
    matches: ({ query }) => query.includes('validationToken='),
    challenge: ({ query }) => new URLSearchParams(query).get('validationToken'),
    purpose: 'Microsoft Graph checks that this URL is live before it sends notifications.',
  },
} satisfies Provider;
