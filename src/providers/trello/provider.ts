import type { Provider } from '../provider.ts';

export const trello = {
  name: 'trello',
  title: 'Trello',
  marks: [{ header: 'x-trello-webhook', rank: 3 }],
} satisfies Provider;
