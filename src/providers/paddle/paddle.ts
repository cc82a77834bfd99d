import type { Provider } from '../provider.ts';
import { ownSignatureIn } from '../signing/signed-by.ts';

/**
 * Paddle's library accepts a signature up to 5 seconds old.
 *
 * https://developer.paddle.com/webhooks/signature-verification
 */
export const paddle = {
  name: 'paddle',
  title: 'Paddle',
  shapes: [(o) => (o('notification_id') && o('event_id') ? o('event_type') : undefined)],
  typePaths: [['event_type']],
  once: { by: [['body.event_id']] },
  ...ownSignatureIn('Paddle-Signature', 'the secret key of the notification destination', {
    form: { separator: ';', field: 'h1' },
    signed: ['time', { text: ':' }, 'body'],
    time: { place: { field: 'ts' }, unit: 's', toleranceMs: 5_000, isTwoSided: false },
  }),
} satisfies Provider;
