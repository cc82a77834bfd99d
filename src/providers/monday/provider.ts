import type { Provider } from '../provider.ts';
import { mondayHandshake } from './handshake.ts';

export const monday = {
  name: 'monday',
  title: 'monday.com',
  handshakes: [mondayHandshake],
} satisfies Provider;
