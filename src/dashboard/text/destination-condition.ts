import type { Delivery } from '../../api/answers/delivery.ts';
import type { Destination } from '../../api/answers/destination.ts';
import { fullTimeText, plural, relativeText, timeText } from './format.ts';

/** What a destination is doing, in one line: `breaker open since 14:05:10, next probe at 14:06:10`. */
export function healthText(
  { state, since, consecutive_failures, next_probe_at }: Destination['health'],
  now: number,
): string {
  if (state === 'healthy') return 'healthy';
  const sinceText = since === null ? '' : ` since ${timeText(since, new Date(now))}`;
  const failures = plural(consecutive_failures, 'failure');
  if (state === 'failing') return `failing${sinceText}, ${failures} in a row`;
  if (next_probe_at === null) return `breaker open${sinceText}`;
  if (Date.parse(next_probe_at) <= now) return `breaker open${sinceText}, next probe now`;
  const probe = `${timeText(next_probe_at, new Date(now))} (${relativeText(next_probe_at, now)})`;
  return `breaker open${sinceText}, next probe at ${probe}`;
}

/** How much waits for a destination: `12 deliveries wait, the oldest from 14:05:10`. */
export function waitingText(
  { count, at_least, oldest_at }: Destination['waiting'],
  now: number,
): string {
  if (count === 0) return 'nothing waits';
  const amount = `${at_least ? 'at least ' : ''}${plural(count, 'delivery', 'deliveries')}`;
  const wait = count === 1 ? 'waits' : 'wait';
  if (oldest_at === null) return `${amount} ${wait}`;
  const oldest = timeText(oldest_at, new Date(now));
  return `${amount} ${wait}, ${count === 1 ? '' : 'the oldest '}from ${oldest}`;
}

type Waiting = Pick<Delivery, 'waits_for' | 'next_attempt_at' | 'attempts'>;

/** What an open delivery waits for, and the time of its next attempt. */
export function waitText({ waits_for, next_attempt_at, attempts }: Waiting, now: number): string {
  const isLater = next_attempt_at !== null && Date.parse(next_attempt_at) > now;
  const at = isLater
    ? ` ${relativeText(next_attempt_at, now)}, at ${fullTimeText(next_attempt_at)}`
    : '';
  switch (waits_for) {
    case 'paused':
      return 'Waits until the destination is resumed';
    case 'breaker':
      return 'Waits for the breaker: it goes when a probe of the destination succeeds';
    case 'transform':
      return 'Waits for a transform that works';
    case 'order':
      return 'Waits behind an earlier delivery of the same key';
    case 'rate':
      return `Waits for the destination’s rate or its Retry-After${at && `: next attempt${at}`}`;
    case 'retry':
      return isLater ? `Attempt #${attempts + 1}${at}` : 'Being attempted now …';
    case null:
      return 'Being attempted now …';
  }
}
