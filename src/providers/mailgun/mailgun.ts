import type { Provider } from '../provider.ts';
import { mailgunProof } from './verify.ts';

export const mailgun = {
  name: 'mailgun',
  title: 'Mailgun',
  shapes: [(o) => (o('signature', 'token') ? o('event-data', 'event') : undefined)],
  typePaths: [['event-data', 'event'], ['event']],
  proof: mailgunProof,
  once: {
    by: [['body.event-data.id', 'body.event-data.timestamp'], ['form.token']],
    varies: ['body.signature'],
  },
} satisfies Provider;
