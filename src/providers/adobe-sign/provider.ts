import type { Provider } from '../provider.ts';
import { adobeSignHandshakes } from './handshake.ts';

export const adobeSign = {
  name: 'adobe-sign',
  title: 'Adobe Acrobat Sign',
  handshakes: adobeSignHandshakes,
} satisfies Provider;
