import { clean, counted } from '../../core/text/words.ts';
import type { Case, CaseDelivery, Standing } from './case.ts';
import { standingOf } from './standing.ts';

/** At most this many deliveries are described, one paragraph each. */
const MAX_DELIVERIES = 5;

/** Returns the event's deliveries that wait, died or were cancelled, and had no attempt. */
export function untriedOf({ attempts, deliveries }: Case): CaseDelivery[] {
  const tried = new Set(attempts.map(({ deliveryId }) => deliveryId));
  return deliveries.filter(
    ({ id, state }) => !tried.has(id) && state !== 'succeeded' && state !== 'filtered',
  );
}

/** Returns why the deliveries without an attempt are in their states. */
export function untriedFindings(subject: Case): Standing[] {
  const untried = untriedOf(subject);
  const shown = untried.slice(0, MAX_DELIVERIES).map((delivery) => {
    const { text, ...rest } = standingOf(delivery, null, subject);
    const url = clean(delivery.destinationUrl, 200);
    return { ...rest, text: `No attempt to ${url} has been made. ${text}` };
  });
  const more = untried.length - shown.length;
  if (more === 0) return shown;
  return [
    ...shown,
    { text: `${counted(more, 'further delivery')} had no attempt, too.`, steps: [] },
  ];
}
