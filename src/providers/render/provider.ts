import type { Provider } from '../provider.ts';
import { standardProof } from '../signing/standard-proof.ts';
import { standardSignerOf } from '../signing/standard-signer.ts';

/**
 * Signs as Standard Webhooks does.
 *
 * https://render.com/docs/webhooks
 */
export const render = {
  name: 'render',
  title: 'Render',
  typePaths: [['type']],
  proof: standardProof("the webhook's signing secret"),
  once: { by: [['header.webhook-id']] },
  signature: {
    header: 'webhook-signature',
    signer: standardSignerOf('webhook'),
  },
} satisfies Provider;
