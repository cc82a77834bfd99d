import type { Provider } from '../provider.ts';
import { smartsheetHandshake } from './handshake.ts';

export const smartsheet = {
  name: 'smartsheet',
  title: 'Smartsheet',
  handshakes: [smartsheetHandshake],
} satisfies Provider;
