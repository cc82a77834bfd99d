import { counted, listed, opt } from '../../core/text/words.ts';
import { type Describe, sentences } from '../describing/describe.ts';
import type { PayloadReader } from '../describing/payload-reader.ts';

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
    `SendGrid reports ${counted(facts.count(''), 'event')} about mail to ${listed(recipients, 4)}: ${listed([...counts].map(([name, count]) => `${count} ${name}`))}.`,
    bad
      ? `Trouble: mail to ${bad.text('email') ?? '?'} met "${bad.text('event')}"${opt`: ${bad.quote('reason', 160)}`}${opt` (${bad.text('bounce_classification')})`}.`
      : '',
    first.length > 0 && opt`The first of them happened ${when(Math.min(...first), events)}.`,
  );
};

function when(least: number, events: PayloadReader[]): string | null {
  return events.find((event) => event.number('timestamp') === least)?.time('timestamp') ?? null;
}
