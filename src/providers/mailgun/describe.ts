import { opt } from '../../core/text/words.ts';
import { type Describe, sentences, worded } from '../describing/describe.ts';

/** https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/ */
export const describeMailgun: Describe = ({ facts }) => {
  const data = facts.at('event-data');
  const kind = data.text('event');
  if (kind === null) return [];
  return sentences(
    `Mailgun reports that mail to ${data.text('recipient') ?? '?'} was ${worded(kind)}${opt` (${data.text('severity')})`}${opt`: ${data.quote('message.headers.subject')}`}.`,
    opt`The reason: ${data.quote('delivery-status.message', 160) ?? data.quote('delivery-status.description', 160) ?? data.text('reason')}${opt` (code ${data.text('delivery-status.code')})`}.`,
    opt`It is message ${data.text('message.headers.message-id')}${opt`, at ${data.time('timestamp')}`}.`,
  );
};
