import type { Provider } from '../provider.ts';

export const contentful = {
  name: 'contentful',
  title: 'Contentful',
  marks: [{ header: 'x-contentful-topic', isType: true, rank: 3 }],
} satisfies Provider;
