import type { Settlement } from '../../store/contract/queue.ts';
import type { AttemptOutcome } from '../transports/transport.ts';
import { retryDelayMs } from './backoff.ts';
import { mostAttempts, type RetryPolicy } from './retry-policy.ts';

/**
 * Returns a delivery's state after an attempt. A success is `succeeded`. A fatal outcome or the
 * last attempt is `dead`. A failed probe is `held`. Otherwise the delivery is `pending`, and due
 * after the backoff.
 *
 * @param attemptNumber number of this attempt, from 1; probes don't count
 * @param isProbe the attempt was a probe of an open breaker
 * @param now when the attempt ended, Unix ms
 * @param random returns a number in [0, 1), like `Math.random`
 */
export function nextState({
  outcome: { verdict, reach, retryAfterMs },
  attemptNumber,
  isProbe,
  policy,
  now,
  random,
}: {
  outcome: Pick<AttemptOutcome, 'verdict' | 'reach' | 'retryAfterMs'>;
  attemptNumber: number;
  isProbe: boolean;
  policy: RetryPolicy;
  now: number;
  random: () => number;
}): Settlement['next'] {
  if (verdict === 'succeeded') return { state: 'succeeded' };
  // A failed probe of an open breaker doesn't count as one of the delivery's attempts.
  if (isProbe && reach === 'failed') return { state: 'held' };
  if (verdict === 'fatal') return { state: 'dead' };
  if (isProbe && reach === 'not_sent') return { state: 'held' };
  if (attemptNumber >= mostAttempts(policy)) return { state: 'dead' };
  const delayMs = retryDelayMs({ attempt: attemptNumber, retryAfterMs, random, policy });
  return { state: 'pending', nextAttemptAt: now + delayMs };
}
