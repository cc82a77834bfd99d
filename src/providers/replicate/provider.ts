import type { Provider } from '../provider.ts';
import { standardProof } from '../signing/standard-proof.ts';
import { standardSignerOf } from '../signing/standard-signer.ts';

/**
 * Signs as Standard Webhooks does.
 *
 * https://replicate.com/docs/topics/webhooks/verify-webhook
 */
export const replicate = {
  name: 'replicate',
  title: 'Replicate',
  typePaths: [['type']],
  proof: standardProof("the account's webhook signing secret"),
  once: { by: [['header.webhook-id']] },
  signature: {
    header: 'webhook-signature',
    signer: standardSignerOf('webhook'),
  },
} satisfies Provider;
