/** Open deliveries of a destination are counted up to this number. */
export const MOST_COUNTED = 10_000;

/** The deliveries that wait for a destination. */
export interface WaitingCount {
  /** Exact to `MOST_COUNTED`. */
  count: number;
  atLeast: boolean;
  /** When the oldest waiting event was received; null where nothing waits. */
  oldestAt: number | null;
}
