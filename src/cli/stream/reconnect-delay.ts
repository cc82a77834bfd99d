/** Delay before the first new connection, and the most that it doubles to, ms. */
const RECONNECT_BASE_MS = 250;
const RECONNECT_MAX_MS = 10_000;
/** Of each delay so much is left to chance, so that clients don't come back all at once. */
const JITTER = 0.5;

/**
 * Delay before a new connection, ms.
 *
 * @param failures connections that failed since the last that stood
 * @param random from 0 up to 1
 */
export function reconnectDelay(failures: number, random: number): number {
  const delay = Math.min(RECONNECT_MAX_MS, RECONNECT_BASE_MS * 2 ** Math.min(failures, 30));
  return Math.round(delay * (1 - JITTER * random));
}
