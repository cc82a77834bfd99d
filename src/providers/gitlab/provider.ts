import type { Provider } from '../provider.ts';
import { gitlabSigner } from './sign.ts';

export const gitlab = {
  name: 'gitlab',
  title: 'GitLab',
  marks: [{ header: 'x-gitlab-event', isType: true, rank: 3 }],
  deliveryIdHeader: 'x-gitlab-event-uuid',
  signature: {
    header: 'X-Gitlab-Token',
    signer: gitlabSigner,
  },
} satisfies Provider;
