import type { Provider } from '../provider.ts';
import { ebayHandshake } from './handshake.ts';
import { ebayProof } from './verify.ts';

export const ebay = {
  name: 'ebay',
  title: 'eBay',
  marks: [{ header: 'x-ebay-signature', rank: 3 }],
  shapes: [
    (o) =>
      o('metadata', 'topic') && o('notification', 'notificationId')
        ? o('metadata', 'topic')
        : undefined,
  ],
  typePaths: [['metadata', 'topic']],
  proof: ebayProof,
  once: {
    by: [['body.notification.notificationId']],
    varies: ['body.notification.publishAttemptCount', 'body.notification.publishDate'],
  },
  handshakes: [ebayHandshake],
} satisfies Provider;
