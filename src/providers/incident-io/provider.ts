import type { Provider } from '../provider.ts';
import { standardProof } from '../signing/standard-proof.ts';
import { standardSignerOf } from '../signing/standard-signer.ts';

/**
 * Signs as Standard Webhooks does.
 *
 * https://docs.incident.io/integrations/webhooks
 */
export const incidentIo = {
  name: 'incident-io',
  title: 'incident.io',
  typePaths: [['type']],
  proof: standardProof("the endpoint's signing secret"),
  once: { by: [['header.webhook-id']] },
  signature: {
    header: 'webhook-signature',
    signer: standardSignerOf('webhook'),
  },
} satisfies Provider;
