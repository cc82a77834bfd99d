import type { Provider } from '../provider.ts';

export const postmark = {
  name: 'postmark',
  title: 'Postmark',
  shapes: [
    (o) => (o('MessageID') && o('RecordType') ? o('RecordType') : undefined),
    (o) => (o('MessageID') && o('MailboxHash') !== undefined ? 'Inbound' : undefined),
  ],
  namedTypes: ['Inbound'],
} satisfies Provider;
