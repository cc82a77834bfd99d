import type { Provider } from '../provider.ts';
import { standardProof } from '../signing/standard-proof.ts';
import { standardSignerOf } from '../signing/standard-signer.ts';

/**
 * Signs as Standard Webhooks does.
 *
 * https://developer.brex.com/docs/webhooks
 */
export const brex = {
  name: 'brex',
  title: 'Brex',
  typePaths: [['type']],
  proof: standardProof("the webhook's secret"),
  once: { by: [['header.webhook-id']] },
  signature: {
    header: 'webhook-signature',
    signer: standardSignerOf('webhook'),
  },
} satisfies Provider;
