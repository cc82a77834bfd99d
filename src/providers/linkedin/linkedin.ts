import type { Provider } from '../provider.ts';
import { ownSignatureIn } from '../signing/signed-by.ts';
import { linkedinHandshake } from './handshake.ts';

/** https://learn.microsoft.com/linkedin/shared/api-guide/webhook-validation */
export const linkedin = {
  name: 'linkedin',
  title: 'LinkedIn',
  handshakes: [linkedinHandshake],
  ...ownSignatureIn('X-LI-Signature', "the app's client secret", {
    signed: [{ text: 'hmacsha256=' }, 'body'],
  }),
} satisfies Provider;
