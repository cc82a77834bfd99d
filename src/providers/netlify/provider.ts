import type { Provider } from '../provider.ts';

export const netlify = {
  name: 'netlify',
  title: 'Netlify',
  marks: [{ header: 'x-netlify-event', isType: true, rank: 3 }],
} satisfies Provider;
