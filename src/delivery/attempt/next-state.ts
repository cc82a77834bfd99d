import type { Settlement } from '../../store/contract/queue.ts';
import type { Outcome } from '../transports/transport.ts';
import { type RetryPolicy, retryDelayMs } from './backoff.ts';

/**
 * The delivery's state after an attempt. A success ends it. A fatal outcome or the
 * last attempt leaves it dead. Otherwise it is due again after the backoff.
 *
 * @param attemptNumber number of the attempt just made, from 1
 * @param now when the attempt ended, Unix ms
 * @param random in [0, 1), as from `Math.random`
 */
export function nextState({
  outcome: { verdict, retryAfterMs },
  attemptNumber,
  policy,
  now,
  random,
}: {
  outcome: Pick<Outcome, 'verdict' | 'retryAfterMs'>;
  attemptNumber: number;
  policy: RetryPolicy;
  now: number;
  random: () => number;
}): Settlement['next'] {
  if (verdict === 'succeeded') return { state: 'succeeded' };
  if (verdict === 'fatal' || attemptNumber >= policy.attempts) return { state: 'dead' };
  const delayMs = retryDelayMs({ attempt: attemptNumber, retryAfterMs, random, policy });
  return { state: 'pending', nextAttemptAt: now + delayMs };
}
