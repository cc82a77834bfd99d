/** The count of a destination's open deliveries stops at this number. */
export const MOST_COUNTED = 10_000;

/** The deliveries that wait for a destination. */
export interface WaitingCount {
  /** Exact up to `MOST_COUNTED`. */
  count: number;
  atLeast: boolean;
  /** When the oldest waiting event was received. Null if nothing waits. */
  oldestAt: number | null;
}
