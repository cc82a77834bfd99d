import type { Provider } from '../provider.ts';
import { ownSignatureIn } from '../signing/signed-by.ts';
import { xeroHandshake } from './handshake.ts';

/** https://developer.xero.com/documentation/guides/webhooks/overview/ */
export const xero = {
  name: 'xero',
  title: 'Xero',
  handshakes: [xeroHandshake],
  ...ownSignatureIn('x-xero-signature', "the app's webhooks key", { encoding: 'base64' }),
} satisfies Provider;
