import type { Provider } from '../provider.ts';

export const mailgun = {
  name: 'mailgun',
  title: 'Mailgun',
  shapes: [(o) => (o('signature', 'token') ? o('event-data', 'event') : undefined)],
} satisfies Provider;
