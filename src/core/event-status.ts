import type { DeliveryState, EventStatus } from './model.ts';

/** The fields of a delivery that decide the status of its event. */
export interface DeliveryProgress {
  state: DeliveryState;
  /** Recorded attempts. Failed probes don't count. */
  attempts: number;
  /** Failed probes. */
  probes: number;
}

/**
 * Counts by state over an event's newest delivery to each destination. Stores keep these counts
 * with the event, so that recording an attempt costs the same for any number of destinations.
 *
 * A replay to all destinations sets the counts back to zero, unless a delivery waits for a
 * destination that the replay leaves out. Any other replay subtracts only the deliveries that it
 * replaces.
 */
export interface EventProgress {
  open: number;
  succeeded: number;
  dead: number;
  /** Deliveries with a failed attempt. Each also counts as open, succeeded or dead. */
  failed: number;
}

/** Returns an event's progress right after its capture for, or replay to, `open` destinations. */
export function newProgress(open: number): EventProgress {
  return { open, succeeded: 0, dead: 0, failed: 0 };
}

/** Returns an event's progress after one of its deliveries changed from `before` to `after`. */
export function movedProgress(
  progress: EventProgress,
  before: DeliveryProgress,
  after: DeliveryProgress,
): EventProgress {
  const left = shareOf(before);
  const taken = shareOf(after);
  return {
    open: progress.open - left.open + taken.open,
    succeeded: progress.succeeded - left.succeeded + taken.succeeded,
    dead: progress.dead - left.dead + taken.dead,
    failed: progress.failed - left.failed + taken.failed,
  };
}

/**
 * Returns what one delivery adds to its event's progress. A cancelled delivery adds nothing,
 * because its destination was removed, or a replay superseded it.
 */
function shareOf({ state, attempts, probes }: DeliveryProgress): EventProgress {
  // Every attempt failed, except the one that succeeded.
  const failedAttempts = probes + (state === 'succeeded' ? attempts - 1 : attempts);
  return {
    open: state === 'pending' ? 1 : 0,
    succeeded: state === 'succeeded' ? 1 : 0,
    dead: state === 'dead' ? 1 : 0,
    failed: state !== 'cancelled' && failedAttempts > 0 ? 1 : 0,
  };
}

/**
 * Returns the status of an event. Only the newest delivery to each destination counts. Deliveries
 * to one-off URLs don't count.
 *
 * - `delivered`: there is a delivery, and all succeeded;
 * - `dead_letter`: none is open, and one or more are dead;
 * - `failed`: some are open, and a delivery is dead or an attempt failed;
 * - `received`: otherwise (no destinations, no attempt yet, or all cancelled).
 */
export function eventStatus({ open, succeeded, dead, failed }: EventProgress): EventStatus {
  if (open > 0) return dead > 0 || failed > 0 ? 'failed' : 'received';
  if (dead > 0) return 'dead_letter';
  return succeeded > 0 ? 'delivered' : 'received';
}
