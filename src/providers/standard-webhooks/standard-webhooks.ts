import type { Provider } from '../provider.ts';
import { standardSigned } from '../signing/standard-signed.ts';

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
export const standardWebhooks = {
  ...standardSigned("the endpoint's secret"),
  name: 'standard-webhooks',
  title: 'Standard Webhooks',
  sender: 'A service that follows Standard Webhooks',
  isEnvelope: true,
  marks: [{ header: 'webhook-signature', rank: 1 }],
  deliveryIdHeader: 'webhook-id',
  once: { by: [['header.webhook-id'], ['header.svix-id']] },
} satisfies Provider;
