import { echo } from '../handshaking/answers.ts';
import type { Provider } from '../provider.ts';
import { microsoftGraphProof } from './verify.ts';

export const microsoftGraph = {
  name: 'microsoft-graph',
  title: 'Microsoft Graph',
  proof: microsoftGraphProof,
  leastBody: (changeType) => ({ value: [{ changeType }] }),
  handshakes: [
    {
      /** https://learn.microsoft.com/graph/change-notifications-delivery-webhooks */
      matches: ({ query }) => query.includes('validationToken='),
      withoutSource: true,
      answer: ({ query }) => echo(new URLSearchParams(query).get('validationToken')),
      purpose: 'Microsoft Graph checks that this URL is live before it sends notifications.',
    },
  ],
} satisfies Provider;
