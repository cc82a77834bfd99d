import type { Provider } from '../provider.ts';
import { signatureIn } from '../signing/signed-by.ts';

/** https://developer.atlassian.com/cloud/jira/platform/webhooks/#secure-admin-webhooks */
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
  once: { by: [['header.x-atlassian-webhook-identifier']] },
  ...signatureIn('X-Hub-Signature', "the webhook's secret", { form: { prefix: 'sha256=' } }),
} satisfies Provider;
