import type { Provider } from '../provider.ts';
import { ownSignatureIn } from '../signing/signed-by.ts';

/** https://vercel.com/docs/webhooks/webhooks-api#securing-webhooks */
export const vercel = {
  name: 'vercel',
  title: 'Vercel',
  typePaths: [['type']],
  once: { by: [['body.id']] },
  ...ownSignatureIn(
    'x-vercel-signature',
    "the webhook's secret, or the integration's client secret",
    { algorithm: 'hmac-sha1' },
  ),
} satisfies Provider;
