import type { Provider } from '../provider.ts';
import { standardProof } from '../signing/standard-proof.ts';
import { standardSignerOf } from '../signing/standard-signer.ts';

/**
 * Signs through Svix.
 *
 * https://stytch.com/docs/guides/dashboard/webhooks
 */
export const stytch = {
  name: 'stytch',
  title: 'Stytch',
  typePaths: [['type']],
  proof: standardProof("the endpoint's signing secret", 'svix'),
  once: { by: [['header.svix-id']] },
  signature: {
    header: 'svix-signature',
    signer: standardSignerOf('svix'),
  },
} satisfies Provider;
