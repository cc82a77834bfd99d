import type { DeliveryAnswer } from '../../api/deliveries/delivery-answer.ts';
import type { DestinationAnswer } from '../../api/destinations/destination-answer.ts';
import { formatRelativeTime } from '../../core/text/duration.ts';
import { counted } from '../../core/text/words.ts';
import type { Zone } from '../model/clock.ts';
import { clockTime } from './time-text.ts';

/**
 * Returns a destination's health: `breaker open since 14:05:10, next probe at 14:06:10 (in 1 min)`.
 */
export function healthText(
  { state, since, consecutive_failures, next_probe_at }: DestinationAnswer['health'],
  now: number,
  zone: Zone,
): string {
  if (state === 'healthy') return 'healthy';
  const sinceText = since === null ? '' : ` since ${clockTime(Date.parse(since), now, zone)}`;
  const failures = counted(consecutive_failures, 'failure');
  if (state !== 'open') return `${state}${sinceText}, ${failures} in a row`;
  if (next_probe_at === null) return `breaker open${sinceText}`;
  const probeAt = Date.parse(next_probe_at);
  if (probeAt <= now) return `breaker open${sinceText}, next probe now`;
  const probe = `${clockTime(probeAt, now, zone)} (${formatRelativeTime(probeAt - now)})`;
  return `breaker open${sinceText}, next probe at ${probe}`;
}

/** Returns the number of waiting deliveries: `12 deliveries wait, the oldest from 14:05:10`. */
export function waitingText(
  { count, at_least, oldest_at }: DestinationAnswer['waiting'],
  now: number,
  zone: Zone,
): string {
  if (count === 0) return 'nothing waits';
  const amount = `${at_least ? 'at least ' : ''}${counted(count, 'delivery')}`;
  const wait = count === 1 ? 'waits' : 'wait';
  if (oldest_at === null) return `${amount} ${wait}`;
  const oldest = clockTime(Date.parse(oldest_at), now, zone);
  return `${amount} ${wait}, ${count === 1 ? '' : 'the oldest '}from ${oldest}`;
}

type Waiting = Pick<DeliveryAnswer, 'waits_for' | 'next_attempt_at' | 'attempts'>;

const UNDER_WAY = 'An attempt is under way …';

/** Returns what an open delivery waits for, and the time of its next attempt. */
export function waitText(
  { waits_for, next_attempt_at, attempts }: Waiting,
  now: number,
  zone: Zone,
): string {
  const nextAt = next_attempt_at === null ? now : Date.parse(next_attempt_at);
  const isLater = nextAt > now;
  const at = isLater
    ? ` ${formatRelativeTime(nextAt - now)}, at ${clockTime(nextAt, now, zone)}`
    : '';
  switch (waits_for) {
    case 'paused':
      return 'Waits until the destination is resumed';
    case 'unjudged':
      return 'Waits for you: a filter could not judge the event. A retry sends it';
    case 'breaker':
      return 'Waits for the breaker: it is sent when a probe of the destination succeeds';
    case 'transform':
      return 'Waits for a transform that works';
    case 'order':
      return 'Waits behind an earlier delivery of the same key';
    case 'rate':
      return `Waits for the destination’s rate or its Retry-After${at && `: next attempt${at}`}`;
    case 'retry':
      return isLater ? `Attempt #${attempts + 1}${at}` : UNDER_WAY;
    case null:
      return UNDER_WAY;
  }
}
