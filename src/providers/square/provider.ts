import type { Provider } from '../provider.ts';

export const square = {
  name: 'square',
  title: 'Square',
  marks: [{ header: 'x-square-hmacsha256-signature', rank: 3 }],
  shapes: [(o) => (o('merchant_id') && o('event_id') ? o('type') : undefined)],
  typePaths: [['type']],
} satisfies Provider;
