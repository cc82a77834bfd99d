import type { Provider } from '../provider.ts';

export const jira = {
  name: 'jira',
  title: 'Jira',
  marks: [{ header: 'x-atlassian-webhook-identifier', rank: 2 }],
  shapes: [
    (o) =>
      o('webhookEvent') && (o('issue') ?? o('user') ?? o('timestamp'))
        ? o('webhookEvent')
        : undefined,
  ],
} satisfies Provider;
