import type { Provider } from '../provider.ts';
import { standardProof } from '../signing/standard-proof.ts';
import { standardSignerOf } from '../signing/standard-signer.ts';

/**
 * Signs through Svix.
 *
 * https://resend.com/docs/webhooks/verify-webhooks-requests
 */
export const resend = {
  name: 'resend',
  title: 'Resend',
  shapes: [(o) => (o('data', 'email_id') && o('created_at') ? o('type') : undefined)],
  typePaths: [['type']],
  proof: standardProof("the endpoint's signing secret", 'svix'),
  once: { by: [['header.svix-id']] },
  signature: {
    header: 'svix-signature',
    signer: standardSignerOf('svix'),
  },
} satisfies Provider;
