import { isSuccess } from '../../../core/http/is-success.ts';
import type {
  AttemptErrorCode,
  DeliveryError,
  EndedWithoutAttempt,
  ListedDelivery,
} from '../../../core/model.ts';
import { timeOfId } from '../../../core/text/id-time.ts';
import { type Drop, filteredDelivery } from '../events/filtered-events.ts';
import { type DeliveryRow, deliveryOf } from './delivery-rows.ts';

/** How a delivery's last attempt ended. */
export interface LastError {
  errorCode: AttemptErrorCode | null;
  errorMessage: string | null;
  responseCode: number | null;
}

export interface EndedDeliveryRow extends DeliveryRow {
  /** Why the delivery died without an attempt. Null for any other delivery. */
  endedBy: EndedWithoutAttempt | null;
}

/** @param last null before the first attempt */
export function listedOf(
  row: EndedDeliveryRow,
  eventId: string,
  last: LastError | null,
  now: number,
): ListedDelivery {
  const delivery = deliveryOf(row, now);
  const error = delivery.state === 'succeeded' ? null : errorOf(row, last);
  return { ...delivery, eventId, createdAt: timeOfId(row.id), error };
}

export function listedDrop(
  drop: Drop,
  eventId: string,
  destination: { id: string; url: string },
): ListedDelivery {
  const delivery = filteredDelivery(drop, destination);
  return { ...delivery, eventId, createdAt: timeOfId(drop.id), error: null };
}

function errorOf({ endedBy }: EndedDeliveryRow, last: LastError | null): DeliveryError | null {
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
