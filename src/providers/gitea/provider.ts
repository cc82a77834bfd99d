import type { Provider } from '../provider.ts';

export const gitea = {
  name: 'gitea',
  title: 'Gitea',
  marks: [{ header: 'x-gitea-event', isType: true, rank: 4 }],
} satisfies Provider;
