import type { Provider } from '../provider.ts';

export const zoom = {
  name: 'zoom',
  title: 'Zoom',
  marks: [{ header: 'x-zm-signature', rank: 3 }],
  shapes: [
    (o) => ((o('payload', 'account_id') ?? o('payload', 'plainToken')) ? o('event') : undefined),
  ],
  typePaths: [['event']],
} satisfies Provider;
