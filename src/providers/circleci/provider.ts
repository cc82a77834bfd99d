import type { Provider } from '../provider.ts';

export const circleci = {
  name: 'circleci',
  title: 'CircleCI',
  marks: [{ header: 'circleci-event-type', isType: true, rank: 3 }],
} satisfies Provider;
