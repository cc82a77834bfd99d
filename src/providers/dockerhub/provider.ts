import type { Provider } from '../provider.ts';

export const dockerhub = {
  name: 'dockerhub',
  title: 'Docker Hub',
  shapes: [(o) => (o('push_data') && o('repository', 'repo_name') ? 'push' : undefined)],
  namedTypes: ['push'],
} satisfies Provider;
