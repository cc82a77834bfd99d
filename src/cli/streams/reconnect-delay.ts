/** The first and the longest delay, ms. */
const RECONNECT_BASE_MS = 250;
const RECONNECT_MAX_MS = 10_000;
/** The random part of each delay, so that many clients don't reconnect at the same time. */
const JITTER = 0.5;

/**
 * Returns the delay before the next connection, ms.
 *
 * @param failures failed connections since the last successful one
 * @param random a number from 0 up to 1
 */
export function reconnectDelay(failures: number, random: number): number {
  const delay = Math.min(RECONNECT_MAX_MS, RECONNECT_BASE_MS * 2 ** Math.min(failures, 30));
  return Math.round(delay * (1 - JITTER * random));
}
