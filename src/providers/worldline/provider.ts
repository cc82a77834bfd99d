import type { Provider } from '../provider.ts';
import { worldlineHandshake } from './handshake.ts';

export const worldline = {
  name: 'worldline',
  title: 'Worldline',
  handshakes: [worldlineHandshake],
} satisfies Provider;
