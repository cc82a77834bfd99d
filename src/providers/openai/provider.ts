import type { Provider } from '../provider.ts';
import { standardProof } from '../signing/standard-proof.ts';
import { standardSignerOf } from '../signing/standard-signer.ts';

/**
 * Signs as Standard Webhooks does.
 *
 * https://platform.openai.com/docs/guides/webhooks
 */
export const openai = {
  name: 'openai',
  title: 'OpenAI',
  shapes: [
    (o) => (o('object') === 'event' && typeof o('created_at') === 'number' ? o('type') : undefined),
  ],
  typePaths: [['type']],
  proof: standardProof("the webhook's signing secret"),
  once: { by: [['header.webhook-id']] },
  signature: {
    header: 'webhook-signature',
    signer: standardSignerOf('webhook'),
  },
} satisfies Provider;
