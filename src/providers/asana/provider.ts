import type { Provider } from '../provider.ts';

export const asana = {
  name: 'asana',
  title: 'Asana',
  marks: [{ header: 'x-hook-signature', rank: 2 }],
} satisfies Provider;
