import type { Provider } from '../provider.ts';
import { ownSignatureIn } from '../signing/signed-by.ts';

/**
 * The signature covers the URL exactly as the subscription has it.
 *
 * https://developer.squareup.com/docs/webhooks/step3validate
 */
export const square = {
  name: 'square',
  title: 'Square',
  shapes: [(o) => (o('merchant_id') && o('event_id') ? o('type') : undefined)],
  typePaths: [['type']],
  once: { by: [['body.event_id']] },
  ...ownSignatureIn('x-square-hmacsha256-signature', "the subscription's signature key", {
    encoding: 'base64',
    signed: ['url', 'body'],
  }),
} satisfies Provider;
