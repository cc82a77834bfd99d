import type { Provider } from '../provider.ts';
import { standardSigned } from '../signing/standard-signed.ts';

/** https://clerk.com/docs/guides/development/webhooks/overview */
export const clerk = {
  name: 'clerk',
  title: 'Clerk',
  shapes: [(o) => (o('object') === 'event' && o('instance_id') ? o('type') : undefined)],
  ...standardSigned("the endpoint's signing secret", 'svix'),
} satisfies Provider;
