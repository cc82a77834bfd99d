/** With this much other work a second, the pauses are the longest. */
const BUSY_PER_SECOND = 500;

export interface PauseTerms {
  /** Beside much other work, a pause is this many times as long as the slice took. */
  pauseTimes: number;
  /** The shortest pause, ms. */
  leastPauseMs: number;
  /** The longest pause, ms. With the size of slices, it makes the rate under an endless flood. */
  mostPauseMs: number;
}

/**
 * Returns the pause of background work after a slice, ms. The pause grows with the other work, and
 * with the time that the slice took. That time includes the wait for the store. So the pauses are
 * longest while much work waits there.
 *
 * @param othersPerSecond the captures and deliveries of a recent second
 */
export function pauseAfter(
  tookMs: number,
  othersPerSecond: number,
  { pauseTimes, leastPauseMs, mostPauseMs }: PauseTerms,
): number {
  const busy = Math.min(1, othersPerSecond / BUSY_PER_SECOND);
  return Math.max(leastPauseMs, Math.min(mostPauseMs, pauseTimes * busy * tookMs));
}
