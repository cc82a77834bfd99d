import type { Delivery } from '../../api/answers/delivery.ts';

type DeliveryState = Delivery['state'];

export const STATE_TEXT: Record<DeliveryState, string> = {
  pending: 'pending',
  succeeded: 'succeeded',
  dead: 'gave up',
  cancelled: 'cancelled',
  filtered: 'filtered',
};

/**
 * Whether a retry may work: an attempt now of an open delivery, or of one that gave up. The
 * server refuses it while the destination is paused.
 */
export function mayRetry({ state, waits_for }: Pick<Delivery, 'state' | 'waits_for'>): boolean {
  return (state === 'pending' && waits_for !== 'paused') || state === 'dead';
}

export function mayCancel({ state }: Pick<Delivery, 'state'>): boolean {
  return state === 'pending';
}
