import type { DeliveryAnswer } from '../../api/deliveries/delivery-answer.ts';
import { formatRelativeTime } from '../../core/text/duration.ts';

type AnsweredState = DeliveryAnswer['state'];

export const STATE_TEXT: Record<AnsweredState, string> = {
  pending: 'pending',
  succeeded: 'succeeded',
  dead: 'gave up',
  cancelled: 'cancelled',
  filtered: 'filtered',
};

/**
 * Returns whether the user can start an attempt of the delivery. The delivery must be open or dead.
 * The server refuses an attempt of an open delivery while the destination is paused.
 */
export function mayRetry({
  state,
  waits_for,
}: Pick<DeliveryAnswer, 'state' | 'waits_for'>): boolean {
  return (state === 'pending' && waits_for !== 'paused') || state === 'dead';
}

export function mayCancel({ state }: Pick<DeliveryAnswer, 'state'>): boolean {
  return state === 'pending';
}

type Counted = Pick<DeliveryAnswer, 'state' | 'waits_for' | 'attempts' | 'next_attempt_at'>;

/**
 * Returns the state of an event's deliveries, such as `2 of 3 delivered, 1 retrying in 4 min`.
 *
 * @param now Unix ms
 */
export function deliveriesText(deliveries: readonly Counted[], now: number): string {
  const groups = Map.groupBy(deliveries, groupOf);
  const count = (group: Group) => groups.get(group)?.length ?? 0;
  const asked = deliveries.length - count('filtered');
  const words: string[] = [];
  if (asked > 0) words.push(`${count('delivered')} of ${asked} delivered`);
  for (const group of OTHERS) {
    if (count(group) === 0) continue;
    words.push(`${count(group)} ${group}${group === 'retrying' ? nextText(deliveries, now) : ''}`);
  }
  return words.join(', ');
}

const OTHERS = ['under way', 'retrying', 'held', 'gave up', 'cancelled', 'filtered'] as const;
const HOLDS: ReadonlySet<string> = new Set(['paused', 'unjudged', 'breaker', 'order']);
type Group = 'delivered' | (typeof OTHERS)[number];

function groupOf({ state, waits_for, attempts }: Counted): Group {
  if (state === 'succeeded') return 'delivered';
  if (state === 'dead') return 'gave up';
  if (state !== 'pending') return state;
  if (waits_for !== null && HOLDS.has(waits_for)) return 'held';
  return attempts > 0 ? 'retrying' : 'under way';
}

/** Returns when the next retry is due. */
function nextText(deliveries: readonly Counted[], now: number): string {
  const due = deliveries
    .filter((one) => groupOf(one) === 'retrying' && one.next_attempt_at !== null)
    .map(({ next_attempt_at }) => next_attempt_at as string)
    .sort();
  return due[0] === undefined ? '' : ` ${formatRelativeTime(Date.parse(due[0]) - now)}`;
}
