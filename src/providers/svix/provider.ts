import type { Provider } from '../provider.ts';
import { standardProof } from '../signing/standard-proof.ts';
import { standardSignerOf } from '../signing/standard-signer.ts';

/** https://docs.svix.com/receiving/verifying-payloads/how-manual */
export const svix = {
  name: 'svix',
  title: 'Svix',
  sender: 'A service that sends through Svix',
  isEnvelope: true,
  marks: [{ header: 'svix-id', rank: 2 }],
  typePaths: [['type']],
  deliveryIdHeader: 'svix-id',
  proof: standardProof("the endpoint's signing secret", 'svix'),
  once: { by: [['header.svix-id'], ['header.webhook-id']] },
  signature: {
    header: 'svix-signature',
    signer: standardSignerOf('svix'),
  },
} satisfies Provider;
