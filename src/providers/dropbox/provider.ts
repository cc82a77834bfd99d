import type { Provider } from '../provider.ts';

export const dropbox = {
  name: 'dropbox',
  title: 'Dropbox',
  marks: [{ header: 'x-dropbox-signature', rank: 3 }],
} satisfies Provider;
