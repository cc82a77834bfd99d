import type { Provider } from '../provider.ts';
import { standardSigner } from '../signing/standard-signer.ts';

export const standardWebhooks = {
  name: 'standard-webhooks',
  title: 'Standard Webhooks',
  sender: 'A service that follows Standard Webhooks',
  isEnvelope: true,
  marks: [{ header: 'webhook-signature', rank: 1 }],
  typePaths: [['type']],
  deliveryIdHeader: 'webhook-id',
  signature: {
    header: 'webhook-signature',
    signer: standardSigner,
  },
} satisfies Provider;
