import type { AttemptErrorCode } from '../../core/model.ts';
import { isSuccess } from '../../core/success.ts';
import type { Settlement } from '../../store/contract/queue.ts';
import type { AttemptOutcome } from '../transports/webhook/attempt.ts';
import { type RetryPolicy, retryDelayMs } from './backoff.ts';

/** "The receiver is gone for good": no retry. */
const GONE = 410;
/** The statuses whose `Retry-After` is about when to send the same again. */
const RETRY_AFTER_STATUSES = new Set([429, 503]);
/** What no retry can mend: they follow from the event, or from a damaged row. */
const FATAL_ERRORS: ReadonlySet<AttemptErrorCode> = new Set<AttemptErrorCode>([
  'invalid_path',
  'loop',
  'secret_unreadable',
]);

/**
 * What becomes of a delivery after an attempt: any 2xx is a success; 410, a
 * fatal error or the last attempt leaves it dead; otherwise it is tried again.
 *
 * @param attemptNumber of the attempt just made, from 1
 * @param now when it ended, Unix ms
 * @param random in [0, 1), as from `Math.random`
 */
export function nextState({
  outcome,
  attemptNumber,
  policy,
  now,
  random,
}: {
  outcome: Pick<AttemptOutcome, 'responseCode' | 'error' | 'retryAfterMs'>;
  attemptNumber: number;
  policy: RetryPolicy;
  now: number;
  random: () => number;
}): Settlement['next'] {
  const { responseCode, error } = outcome;
  if (responseCode !== null && isSuccess(responseCode)) return { state: 'succeeded' };
  if (responseCode === GONE || (error && FATAL_ERRORS.has(error.code))) return { state: 'dead' };
  if (attemptNumber >= policy.attempts) return { state: 'dead' };
  const retryAfterMs =
    responseCode !== null && RETRY_AFTER_STATUSES.has(responseCode) ? outcome.retryAfterMs : null;
  const delayMs = retryDelayMs({
    attempt: attemptNumber,
    retryAfterMs,
    random,
    policy,
  });
  return { state: 'pending', nextAttemptAt: now + delayMs };
}
