import type { Provider } from '../provider.ts';

export const intercom = {
  name: 'intercom',
  title: 'Intercom',
  marks: [{ header: 'intercom-webhook-signature', rank: 3 }],
  shapes: [(o) => (o('type') === 'notification_event' ? o('topic') : undefined)],
  typePaths: [['topic']],
} satisfies Provider;
