import type { Provider } from '../provider.ts';
import { gitlabSigner } from './sign.ts';
import { gitlabProof } from './verify.ts';

export const gitlab = {
  name: 'gitlab',
  title: 'GitLab',
  marks: [{ header: 'x-gitlab-event', isType: true, rank: 3 }],
  deliveryIdHeader: 'x-gitlab-event-uuid',
  proof: gitlabProof,
  // X-Gitlab-Event-UUID can't identify repeats, because a hook that another hook causes has the
  // same UUID.
  once: { by: [['header.webhook-id'], ['header.idempotency-key']] },
  signature: {
    header: 'X-Gitlab-Token',
    signer: gitlabSigner,
  },
} satisfies Provider;
