import type { Provider } from '../provider.ts';
import { signatureIn } from '../signing/signed-by.ts';

/** https://developers.intercom.com/docs/webhooks/webhook-notifications */
export const intercom = {
  name: 'intercom',
  title: 'Intercom',
  shapes: [(o) => (o('type') === 'notification_event' ? o('topic') : undefined)],
  typePaths: [['topic']],
  once: { by: [['body.id']], varies: ['body.delivery_attempts', 'body.delivered_at'] },
  ...signatureIn('X-Hub-Signature', "the app's client secret", {
    algorithm: 'hmac-sha1',
    form: { prefix: 'sha1=' },
  }),
} satisfies Provider;
