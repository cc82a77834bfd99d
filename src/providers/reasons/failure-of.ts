import { type FailureText, failureText } from '../../core/proof/failure-text.ts';
import type { SourceSettings } from '../../core/proof/source.ts';
import type { Verification } from '../../core/proof/verification.ts';
import { failedClock, type TimedRequest } from './failed-clock.ts';

/**
 * Returns why a stored request failed, and what to do. Returns null if it didn't fail.
 *
 * @param source the endpoint's present source; null if there is none
 */
export function failureOf(
  verification: Verification,
  source: SourceSettings | null,
  request: TimedRequest,
): FailureText | null {
  const { state, reason } = verification;
  if (state !== 'failed' || reason === null) return null;
  return failureText(reason, failedClock(verification, source, request));
}
