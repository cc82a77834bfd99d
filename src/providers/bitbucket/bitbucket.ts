import type { Provider } from '../provider.ts';
import { signatureIn } from '../signing/signed-by.ts';

/** https://support.atlassian.com/bitbucket-cloud/docs/manage-webhooks/#Secure-webhooks */
export const bitbucket = {
  name: 'bitbucket',
  title: 'Bitbucket',
  marks: [{ header: 'x-event-key', isType: true, rank: 3 }],
  deliveryIdHeader: 'x-request-uuid',
  once: { by: [['header.x-request-uuid']] },
  ...signatureIn('X-Hub-Signature', "the webhook's secret", { form: { prefix: 'sha256=' } }),
} satisfies Provider;
