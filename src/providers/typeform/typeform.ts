import type { Provider } from '../provider.ts';
import { ownSignatureIn } from '../signing/signed-by.ts';

/** https://www.typeform.com/developers/webhooks/secure-your-webhooks/ */
export const typeform = {
  name: 'typeform',
  title: 'Typeform',
  shapes: [(o) => (o('form_response', 'form_id') ? o('event_type') : undefined)],
  once: { by: [['body.event_id']] },
  ...ownSignatureIn('Typeform-Signature', "the webhook's secret", {
    encoding: 'base64',
    form: { prefix: 'sha256=' },
  }),
} satisfies Provider;
