import type { Provider } from '../provider.ts';

export const vercel = {
  name: 'vercel',
  title: 'Vercel',
  marks: [{ header: 'x-vercel-signature', rank: 3 }],
  typePaths: [['type']],
} satisfies Provider;
