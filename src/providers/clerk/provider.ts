import type { Provider } from '../provider.ts';

export const clerk = {
  name: 'clerk',
  title: 'Clerk',
  shapes: [(o) => (o('object') === 'event' && o('instance_id') ? o('type') : undefined)],
} satisfies Provider;
