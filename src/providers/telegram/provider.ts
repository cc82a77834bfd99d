import type { Provider } from '../provider.ts';

export const telegram = {
  name: 'telegram',
  title: 'Telegram',
  marks: [{ header: 'x-telegram-bot-api-secret-token', rank: 3 }],
  shapes: [(o) => (typeof o('update_id') === 'number' ? null : undefined)],
} satisfies Provider;
