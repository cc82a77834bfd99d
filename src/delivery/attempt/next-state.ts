import type { Settlement } from '../../store/contract/queue.ts';
import type { AttemptOutcome } from '../transports/transport.ts';
import { retryDelayMs } from './backoff.ts';
import { mostAttempts, type RetryPolicy } from './retry-policy.ts';

/**
 * A delivery's state after an attempt. A success ends it. After a fatal outcome or the last attempt
 * it is dead. After a failed probe it is held, as before. Otherwise it is due again after the
 * backoff.
 *
 * @param attemptNumber number of this attempt, from 1; probes don't count
 * @param isProbe an open breaker made the attempt
 * @param now when the attempt ended, Unix ms
 * @param random in [0, 1), as from `Math.random`
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
