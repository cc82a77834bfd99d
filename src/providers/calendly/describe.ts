import { opt } from '../../core/text/words.ts';
import { type Describe, sentences, worded } from '../describing/describe.ts';

/** https://developer.calendly.com/api-docs/ZG9jOjE2OTgxMzQ1-webhook-subscriptions */
export const describeCalendly: Describe = ({ facts, type }) => {
  const payload = facts.at('payload');
  const kind = facts.text('event') ?? type;
  if (kind === null) return [];
  const happened = kind.startsWith('invitee.') ? worded(kind.slice(8)) : worded(kind);
  return sentences(
    `Calendly reports ${kind}: ${payload.text('name') ?? 'somebody'}${opt` (${payload.text('email')})`} ${happened === 'canceled' ? 'cancelled' : happened === 'created' ? 'booked' : happened}${opt` ${payload.quote('scheduled_event.name')}`}.`,
    opt`It starts ${payload.time('scheduled_event.start_time')}${opt` and ends ${payload.time('scheduled_event.end_time')}`}${opt`, in the invitee's time zone ${payload.text('timezone')}`}.`,
    opt`The reason given: ${payload.quote('cancellation.reason')}.`,
  );
};
