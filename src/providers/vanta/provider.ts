import type { Provider } from '../provider.ts';
import { standardProof } from '../signing/standard-proof.ts';
import { standardSignerOf } from '../signing/standard-signer.ts';

/**
 * Signs through Svix.
 *
 * https://developer.vanta.com/docs/webhooks
 */
export const vanta = {
  name: 'vanta',
  title: 'Vanta',
  typePaths: [['type']],
  proof: standardProof("the endpoint's signing secret", 'svix'),
  once: { by: [['header.svix-id']] },
  signature: {
    header: 'svix-signature',
    signer: standardSignerOf('svix'),
  },
} satisfies Provider;
