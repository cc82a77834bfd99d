import type { Provider } from '../provider.ts';
import { standardProof } from '../signing/standard-proof.ts';
import { standardSigner } from '../signing/standard-signer.ts';

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
export const standardWebhooks = {
  name: 'standard-webhooks',
  title: 'Standard Webhooks',
  sender: 'A service that follows Standard Webhooks',
  isEnvelope: true,
  marks: [{ header: 'webhook-signature', rank: 1 }],
  typePaths: [['type']],
  deliveryIdHeader: 'webhook-id',
  proof: standardProof("the endpoint's secret"),
  once: { by: [['header.webhook-id'], ['header.svix-id']] },
  signature: {
    header: 'webhook-signature',
    signer: standardSigner,
  },
} satisfies Provider;
