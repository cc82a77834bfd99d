import { counted, opt } from '../../core/text/words.ts';
import { type Describe, sentences, worded } from '../describing/describe.ts';

/** https://postmarkapp.com/developer/webhooks/webhooks-overview */
export const describePostmark: Describe = ({ facts, type }) => {
  if (type === 'Inbound' || (!facts.has('RecordType') && facts.has('From'))) {
    return sentences(
      `Postmark passes on a mail from ${facts.first('FromFull.Email', 'From') ?? '?'} to ${facts.first('OriginalRecipient', 'To') ?? '?'}${opt`: ${facts.quote('Subject')}`}.`,
      facts.count('Attachments') > 0 &&
        `It has ${counted(facts.count('Attachments'), 'attachment')}.`,
    );
  }
  const kind = facts.text('RecordType');
  if (kind === null) return [];
  return sentences(
    `Postmark reports ${worded(kind)} of mail to ${facts.first('Email', 'Recipient') ?? '?'}${opt`: ${facts.quote('Subject')}`}.`,
    opt`The reason: ${facts.quote('Description', 160) ?? facts.quote('Details', 160)}${opt` (${facts.text('Type')})`}.`,
    opt`It is message ${facts.text('MessageID')}.`,
  );
};
