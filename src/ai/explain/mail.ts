import { counted, listed, opt } from '../words.ts';
import { type Describe, sentences, worded } from './describe.ts';
import type { Facts } from './facts.ts';

/** Many events come in one request: https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event */
export const describeSendgrid: Describe = ({ facts }) => {
  const events = facts.items('', 1000);
  if (events.length === 0 || !events[0]?.has('event')) return [];
  const counts = new Map<string, number>();
  for (const event of events) {
    const name = event.text('event', 40) ?? '?';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const recipients = [...new Set(events.flatMap((event) => event.text('email') ?? []))];
  const bad = events.find((event) =>
    /^(bounce|dropped|deferred|spamreport)$/.test(event.text('event') ?? ''),
  );
  const first = events.map((event) => event.number('timestamp')).filter((time) => time !== null);
  return sentences(
    `SendGrid tells of ${counted(facts.count(''), 'event')} about mail to ${listed(recipients, 4)}: ${listed([...counts].map(([name, count]) => `${count} ${name}`))}.`,
    bad
      ? `Trouble: mail to ${bad.text('email') ?? '?'} met "${bad.text('event')}"${opt`: ${bad.quote('reason', 160)}`}${opt` (${bad.text('bounce_classification')})`}.`
      : '',
    first.length > 0 && opt`The first of them happened ${when(Math.min(...first), events)}.`,
  );
};

function when(least: number, events: Facts[]): string | null {
  return events.find((event) => event.number('timestamp') === least)?.time('timestamp') ?? null;
}

/** https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/ */
export const describeMailgun: Describe = ({ facts }) => {
  const data = facts.at('event-data');
  const kind = data.text('event');
  if (kind === null) return [];
  return sentences(
    `Mailgun tells that mail to ${data.text('recipient') ?? '?'} was ${worded(kind)}${opt` (${data.text('severity')})`}${opt`: ${data.quote('message.headers.subject')}`}.`,
    opt`The reason: ${data.quote('delivery-status.message', 160) ?? data.quote('delivery-status.description', 160) ?? data.text('reason')}${opt` (code ${data.text('delivery-status.code')})`}.`,
    opt`It is message ${data.text('message.headers.message-id')}${opt`, at ${data.time('timestamp')}`}.`,
  );
};

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
    `Postmark tells of ${worded(kind)} of mail to ${facts.first('Email', 'Recipient') ?? '?'}${opt`: ${facts.quote('Subject')}`}.`,
    opt`The reason: ${facts.quote('Description', 160) ?? facts.quote('Details', 160)}${opt` (${facts.text('Type')})`}.`,
    opt`It is message ${facts.text('MessageID')}.`,
  );
};
