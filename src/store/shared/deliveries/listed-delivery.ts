import { isSuccess } from '../../../core/http/is-success.ts';
import type { AttemptErrorCode, DeliveryError, EndedWithoutAttempt } from '../../../core/model.ts';
import { timeOfId } from '../../../core/text/id-time.ts';

/** When a delivery was made: its id says so. */
export function createdAtOf(deliveryId: string): number {
  return timeOfId(deliveryId);
}

/**
 * Why a delivery isn't delivered.
 *
 * @param endedBy why it died without an attempt
 * @param last its last attempt; null before the first
 */
export function listedError(
  endedBy: EndedWithoutAttempt | null,
  last: {
    errorCode: AttemptErrorCode | null;
    errorMessage: string | null;
    responseCode: number | null;
  } | null,
): DeliveryError | null {
  if (endedBy !== null) {
    return {
      code: endedBy,
      message: 'The breaker was open for longer than the destination’s hold.',
    };
  }
  if (!last) return null;
  const { errorCode, errorMessage, responseCode } = last;
  if (errorCode !== null) return { code: errorCode, message: errorMessage ?? '' };
  if (responseCode === null || isSuccess(responseCode)) return null;
  return { code: 'http_status', message: `The receiver answered ${responseCode}.` };
}
