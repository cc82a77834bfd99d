import type { Provider } from '../provider.ts';

export const calendly = {
  name: 'calendly',
  title: 'Calendly',
  marks: [{ header: 'calendly-webhook-signature', rank: 3 }],
  shapes: [(o) => (o('created_by') && o('payload', 'uri') ? o('event') : undefined)],
  typePaths: [['event']],
} satisfies Provider;
