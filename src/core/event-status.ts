import type { DeliveryState, EventStatus } from './model.ts';

/** What the status of an event depends on, for one delivery of its latest round. */
export interface DeliveryProgress {
  state: DeliveryState;
  /** Attempts recorded so far. */
  attempts: number;
}

/**
 * The status of an event, from the deliveries of its latest round only:
 *
 * - `delivered`: there is at least one, and all succeeded;
 * - `dead_letter`: none is open any more and at least one is dead;
 * - `failed`: some are open still, and a delivery is dead or an attempt has failed;
 * - `received`: anything else. No destinations, nothing tried yet, or all cancelled.
 *
 * A cancelled delivery counts for nothing: its destination was removed, or a
 * replay took its place.
 */
export function eventStatus(deliveries: readonly DeliveryProgress[]): EventStatus {
  let succeeded = 0;
  let dead = 0;
  let open = 0;
  let failedAttempts = 0;
  for (const { state, attempts } of deliveries) {
    if (state === 'cancelled') continue;
    if (state === 'succeeded') succeeded++;
    else if (state === 'dead') dead++;
    else open++;
    // All attempts but the one that succeeded have failed.
    failedAttempts += state === 'succeeded' ? Math.max(0, attempts - 1) : attempts;
  }
  if (open === 0) {
    if (dead > 0) return 'dead_letter';
    return succeeded > 0 ? 'delivered' : 'received';
  }
  return dead > 0 || failedAttempts > 0 ? 'failed' : 'received';
}
