import type { Provider } from '../provider.ts';
import { ownSignatureIn } from '../signing/signed-by.ts';
import { dropboxHandshakes } from './handshake.ts';

/** https://www.dropbox.com/developers/reference/webhooks */
export const dropbox = {
  name: 'dropbox',
  title: 'Dropbox',
  handshakes: dropboxHandshakes,
  ...ownSignatureIn('X-Dropbox-Signature', "the app's secret"),
} satisfies Provider;
