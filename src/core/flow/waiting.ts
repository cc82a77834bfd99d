/** The largest count of a destination's open deliveries. Counting stops here. */
export const MOST_COUNTED = 10_000;

export interface WaitingCount {
  /** The number of waiting deliveries, exact up to `MOST_COUNTED`. */
  count: number;
  atLeast: boolean;
  /** When the oldest waiting event was received. Null if nothing waits. */
  oldestAt: number | null;
}
