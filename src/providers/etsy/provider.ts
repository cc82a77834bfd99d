import type { Provider } from '../provider.ts';
import { standardProof } from '../signing/standard-proof.ts';
import { standardSignerOf } from '../signing/standard-signer.ts';

/**
 * Signs as Standard Webhooks does.
 *
 * https://developers.etsy.com/documentation/essentials/webhooks
 */
export const etsy = {
  name: 'etsy',
  title: 'Etsy',
  typePaths: [['type']],
  proof: standardProof("the endpoint's signing secret"),
  once: { by: [['header.webhook-id']] },
  signature: {
    header: 'webhook-signature',
    signer: standardSignerOf('webhook'),
  },
} satisfies Provider;
