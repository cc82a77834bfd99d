import { counted, listed, opt } from '../../core/text/words.ts';
import { type Describe, sentences } from '../describing/describe.ts';

/** https://developers.facebook.com/docs/graph-api/webhooks, WhatsApp, Messenger and Instagram */
export const describeMeta: Describe = ({ facts }) => {
  const entries = facts.items('entry');
  const changes = entries.flatMap((entry) => entry.items('changes'));
  const messages = [
    ...changes.flatMap((change) => change.items('value.messages')),
    ...entries.flatMap((entry) => entry.items('messaging')),
  ];
  const statuses = changes.flatMap((change) => change.items('value.statuses'));
  const product = facts.is('object', 'whatsapp_business_account')
    ? 'WhatsApp'
    : facts.is('object', 'instagram')
      ? 'Instagram'
      : `Meta (${facts.text('object') ?? '?'})`;
  const [first] = messages;
  if (first) {
    const from = first.first('from', 'sender.id') ?? '?';
    const words = first.quote('text.body', 200) ?? first.quote('message.text', 200);
    return sentences(
      `${product} reports ${counted(messages.length, 'message')}, the first from ${from}${opt`: ${words}`}${words ? '' : opt` of type ${first.text('type')}`}.`,
      opt`It came to ${facts.first('entry.0.changes.0.value.metadata.display_phone_number', 'entry.0.id')}.`,
    );
  }
  if (statuses[0]) {
    return [
      `${product} reports ${counted(statuses.length, 'status')}: the message to ${statuses[0].text('recipient_id') ?? '?'} is ${statuses[0].text('status') ?? 'changed'}.`,
    ];
  }
  const fields = [...new Set(changes.flatMap((change) => change.text('field') ?? []))];
  return [
    `${product} reports changes${fields.length > 0 ? ` of ${listed(fields)}` : ''} in ${counted(facts.count('entry'), 'object')}${opt` (${facts.text('entry.0.id')})`}.`,
  ];
};
