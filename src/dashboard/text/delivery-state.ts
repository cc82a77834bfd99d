import type { Delivery } from '../../api/api-types.ts';

type DeliveryState = Delivery['state'];

export const STATE_TEXT: Record<DeliveryState, string> = {
  pending: 'pending',
  succeeded: 'succeeded',
  dead: 'gave up',
  cancelled: 'cancelled',
  filtered: 'filtered',
};

/** Whether a retry makes sense: an attempt now of an open delivery or of one that gave up. */
export const mayRetry = (state: DeliveryState): boolean => state === 'pending' || state === 'dead';
export const mayCancel = (state: DeliveryState): boolean => state === 'pending';
