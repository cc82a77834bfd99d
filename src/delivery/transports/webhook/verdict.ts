import { isSuccess } from '../../../core/success.ts';
import type { Outcome } from '../transport.ts';
import type { AttemptOutcome } from './attempt.ts';

/** "The receiver is gone for good": no retry. */
const GONE = 410;
/** The statuses whose `Retry-After` says when to send the same request again. */
const RETRY_AFTER_STATUSES = new Set([429, 503]);

/**
 * What a response means for the delivery: a 2xx is a success, a 410 is fatal, and
 * anything else is worth a retry, including a redirect and a missing response.
 */
export function verdictOf({
  responseCode,
  retryAfterMs,
}: Pick<AttemptOutcome, 'responseCode' | 'retryAfterMs'>): Pick<
  Outcome,
  'verdict' | 'retryAfterMs'
> {
  if (isSuccess(responseCode)) return { verdict: 'succeeded', retryAfterMs: null };
  if (responseCode === GONE) return { verdict: 'fatal', retryAfterMs: null };
  const mayAsk = responseCode !== null && RETRY_AFTER_STATUSES.has(responseCode);
  return { verdict: 'retryable', retryAfterMs: mayAsk ? retryAfterMs : null };
}
