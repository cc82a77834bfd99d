import type { Settlement } from '../../store/contract/queue.ts';
import type { AttemptOutcome } from '../transports/transport.ts';
import { retryDelayMs } from './backoff.ts';
import { mostAttempts, type RetryPolicy } from './retry-policy.ts';

/**
 * Returns a delivery's state after an attempt. After a success the delivery is `succeeded`. After a
 * fatal outcome or the last attempt it is `dead`. After a failed probe it is `held`, as it was
 * before. Otherwise it is `pending`, and due again after the backoff.
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
  // While a breaker is open, a failure of the destination spends no attempt.
  if (isProbe && reach === 'failed') return { state: 'held' };
  if (verdict === 'fatal') return { state: 'dead' };
  if (isProbe && reach === 'not_sent') return { state: 'held' };
  if (attemptNumber >= mostAttempts(policy)) return { state: 'dead' };
  const delayMs = retryDelayMs({ attempt: attemptNumber, retryAfterMs, random, policy });
  return { state: 'pending', nextAttemptAt: now + delayMs };
}
