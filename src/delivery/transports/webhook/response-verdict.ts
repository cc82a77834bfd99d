import type { Reach } from '../../../core/flow/after-attempt.ts';
import { isSuccess } from '../../../core/http/is-success.ts';
import { giveUpCode } from '../../../core/settings/gives-up.ts';
import type { GiveUpOn } from '../../../core/settings/retry-schema.ts';
import type { AttemptOutcome } from '../transport.ts';
import type { HttpOutcome } from './attempt.ts';

/** With these statuses, `Retry-After` says when to send the same request again. */
const RETRY_AFTER_STATUSES = new Set([429, 503]);

/**
 * Returns what an outcome means for the delivery and for its destination. A 2xx is a success. A
 * code in `giveUpOn` is fatal. Anything else is worth a retry, even a redirect or no response.
 *
 * @param giveUpOn codes on which the destination gives up; if absent, the default codes
 */
export function responseVerdict(
  made: Pick<HttpOutcome, 'responseCode' | 'retryAfterMs' | 'error' | 'wasSent'>,
  giveUpOn?: GiveUpOn,
): Pick<AttemptOutcome, 'verdict' | 'retryAfterMs' | 'reach'> {
  const { responseCode, retryAfterMs } = made;
  const mayAsk = responseCode !== null && RETRY_AFTER_STATUSES.has(responseCode);
  return {
    verdict: verdict(responseCode, giveUpOn),
    retryAfterMs: mayAsk ? retryAfterMs : null,
    reach: reachOf(made),
  };
}

function verdict(responseCode: number | null, giveUpOn?: GiveUpOn): AttemptOutcome['verdict'] {
  if (isSuccess(responseCode)) return 'succeeded';
  const isFatal = responseCode !== null && giveUpCode(responseCode, giveUpOn) !== null;
  return isFatal ? 'fatal' : 'retryable';
}

/**
 * Decides whether the destination is at fault. A recorded error decides first, otherwise the status
 * does. So an answer whose body never ends is a failure, unless it is a 2xx.
 *
 * An unknown error before the request was sent is a fault of this machine, such as too many open
 * files. Counted as a failure, it would open the breakers of all destinations.
 */
function reachOf({
  responseCode,
  error,
  wasSent,
}: Pick<HttpOutcome, 'responseCode' | 'error' | 'wasSent'>): Reach {
  if (error?.code === 'blocked_address') return 'not_sent';
  if (error) return error.code === 'unknown' && !wasSent ? 'not_sent' : 'failed';
  if (responseCode === 429) return 'failed';
  return responseCode !== null && Math.floor(responseCode / 100) === 5 ? 'failed' : 'answered';
}
