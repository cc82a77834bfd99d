/** Delay before the first reconnection, and its upper bound, ms. */
const RECONNECT_BASE_MS = 250;
const RECONNECT_MAX_MS = 10_000;
/** Random share of each delay: it spreads the reconnections of many clients. */
const JITTER = 0.5;

/**
 * Delay before a new connection, ms.
 *
 * @param failures failed connections since the last successful one
 * @param random from 0 up to 1
 */
export function reconnectDelay(failures: number, random: number): number {
  const delay = Math.min(RECONNECT_MAX_MS, RECONNECT_BASE_MS * 2 ** Math.min(failures, 30));
  return Math.round(delay * (1 - JITTER * random));
}
