import type { Provider } from '../provider.ts';

export const resend = {
  name: 'resend',
  title: 'Resend',
  shapes: [(o) => (o('data', 'email_id') && o('created_at') ? o('type') : undefined)],
} satisfies Provider;
