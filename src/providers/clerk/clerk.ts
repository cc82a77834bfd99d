import type { Provider } from '../provider.ts';
import { standardProof } from '../signing/standard-proof.ts';
import { standardSignerOf } from '../signing/standard-signer.ts';

/**
 * Signs through Svix.
 *
 * https://clerk.com/docs/guides/development/webhooks/overview
 */
export const clerk = {
  name: 'clerk',
  title: 'Clerk',
  shapes: [(o) => (o('object') === 'event' && o('instance_id') ? o('type') : undefined)],
  typePaths: [['type']],
  proof: standardProof("the endpoint's signing secret", 'svix'),
  once: { by: [['header.svix-id']] },
  signature: {
    header: 'svix-signature',
    signer: standardSignerOf('svix'),
  },
} satisfies Provider;
