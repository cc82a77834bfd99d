import type { Provider } from '../provider.ts';
import { postmarkProof } from './verify.ts';

export const postmark = {
  name: 'postmark',
  title: 'Postmark',
  shapes: [
    (o) => (o('MessageID') && o('RecordType') ? o('RecordType') : undefined),
    (o) => (o('MessageID') && o('MailboxHash') !== undefined ? 'Inbound' : undefined),
  ],
  namedTypes: ['Inbound'],
  proof: postmarkProof,
  // The message id alone doesn't identify an event. A message has many events, and a recipient may
  // follow several links within a second.
  once: {
    by: [
      [
        'body.RecordType',
        'body.MessageID',
        'body.Recipient',
        'body.OriginalLink',
        'body.ReceivedAt',
      ],
      ['body.RecordType', 'body.MessageID', 'body.Recipient', 'body.ReceivedAt'],
      ['body.RecordType', 'body.MessageID', 'body.Recipient', 'body.DeliveredAt'],
      ['body.RecordType', 'body.ID', 'body.BouncedAt'],
    ],
  },
} satisfies Provider;
