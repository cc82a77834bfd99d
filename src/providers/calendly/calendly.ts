import type { Provider } from '../provider.ts';
import { ownSignatureIn } from '../signing/signed-by.ts';

/**
 * Calendly advises to refuse signatures older than 3 minutes.
 *
 * https://developer.calendly.com/api-docs/overview/webhooks/webhook-signatures
 */
export const calendly = {
  name: 'calendly',
  title: 'Calendly',
  shapes: [(o) => (o('created_by') && o('payload', 'uri') ? o('event') : undefined)],
  typePaths: [['event']],
  once: { by: [['body.event', 'body.payload.uri', 'body.created_at']] },
  ...ownSignatureIn('Calendly-Webhook-Signature', "the subscription's signing key", {
    form: { separator: ',', field: 'v1', isSingle: true },
    signed: ['time', { text: '.' }, 'body'],
    time: { place: { field: 't' }, unit: 's', toleranceMs: 180_000, isTwoSided: false },
  }),
} satisfies Provider;
