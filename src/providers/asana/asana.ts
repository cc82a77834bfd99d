import type { Provider } from '../provider.ts';
import { signatureIn } from '../signing/signed-by.ts';
import { asanaHandshake } from './handshake.ts';

/** https://developers.asana.com/docs/webhooks-guide#security */
export const asana = {
  name: 'asana',
  title: 'Asana',
  marks: [{ header: 'x-hook-signature', rank: 2 }],
  handshakes: [asanaHandshake],
  ...signatureIn('X-Hook-Signature', 'the X-Hook-Secret of the handshake'),
} satisfies Provider;
