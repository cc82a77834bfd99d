import { HookrelayError } from '../../core/errors.ts';
import { failureText, type SignedClock } from '../../core/proof/failure-text.ts';
import { isUndecided, type Verification } from '../../core/proof/verification.ts';
import { FAILED_FOR_MS } from './key-ring.ts';

/**
 * Errors by code and reason. They are kept because making one records a stack, which takes as long
 * as verifying a request.
 */
const made = new Map<string, HookrelayError>();

/**
 * Returns the error for a request that the source doesn't verify. The error is `key_unavailable` if
 * the check couldn't be completed. Requests whose signed time is unknown share one error for each
 * reason.
 *
 * @param clock the request's signed time; null if it is unknown
 */
export function notVerified(
  code: 'signature_invalid' | 'not_verified',
  verification: Verification | null,
  clock: SignedClock | null,
): HookrelayError {
  const reason = verification?.reason ?? 'signature_missing';
  const key = `${code} ${reason}`;
  const known = clock === null ? made.get(key) : undefined;
  if (known) return known;
  const { says, hint } = failureText(reason, clock);
  const message = `the request isn’t verified (${reason}): ${says}`;
  // Many senders, such as AWS, never retry after a 401.
  const isTemporary = code === 'signature_invalid' && isUndecided(verification);
  const error = isTemporary
    ? new HookrelayError('key_unavailable', message, { hint, retryAfterS: FAILED_FOR_MS / 1000 })
    : new HookrelayError(code, message, { hint });
  if (clock === null) made.set(key, error);
  return error;
}
