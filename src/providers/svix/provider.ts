import type { Provider } from '../provider.ts';

export const svix = {
  name: 'svix',
  title: 'Svix',
  sender: 'A service that sends through Svix',
  isEnvelope: true,
  marks: [{ header: 'svix-id', rank: 2 }],
  typePaths: [['type']],
  deliveryIdHeader: 'svix-id',
} satisfies Provider;
