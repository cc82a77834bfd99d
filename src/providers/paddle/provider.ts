import type { Provider } from '../provider.ts';

export const paddle = {
  name: 'paddle',
  title: 'Paddle',
  marks: [{ header: 'paddle-signature', rank: 3 }],
  shapes: [(o) => (o('notification_id') && o('event_id') ? o('event_type') : undefined)],
  typePaths: [['event_type']],
} satisfies Provider;
