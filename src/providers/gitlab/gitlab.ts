import type { Provider } from '../provider.ts';
import { gitlabSigner } from './sign.ts';
import { gitlabProof } from './verify.ts';

export const gitlab = {
  name: 'gitlab',
  title: 'GitLab',
  marks: [{ header: 'x-gitlab-event', isType: true, rank: 3 }],
  deliveryIdHeader: 'x-gitlab-event-uuid',
  proof: gitlabProof,
  // A hook that an earlier hook caused has the same X-Gitlab-Event-UUID.
  once: { by: [['header.webhook-id'], ['header.idempotency-key']] },
  signature: {
    header: 'X-Gitlab-Token',
    signer: gitlabSigner,
  },
} satisfies Provider;
