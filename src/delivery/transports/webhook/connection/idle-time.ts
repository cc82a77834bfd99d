/**
 * How long an idle connection is kept, ms. Node and Apache close theirs after 5 s. A request that
 * is sent as the receiver closes the connection would be a failed attempt.
 */
const IDLE_DEFAULT_MS = 4000;
/** The longest idle time that a receiver's `Keep-Alive` header can ask for, ms. */
const IDLE_MAX_MS = 30_000;
/** The margin below the timeout of a `Keep-Alive` header, ms. A request takes time to arrive. */
const IDLE_MARGIN_MS = 1000;

const TIMEOUT = /(?:^|,)[\t ]*timeout=(\d+)/i;

/**
 * Returns how long a connection may be idle, ms; 0 or less if it must not be used again.
 *
 * @param keepAlive the value of the response's `Keep-Alive` header; null without one
 */
export function idleMs(keepAlive: string | null): number {
  const seconds = keepAlive && TIMEOUT.exec(keepAlive)?.[1];
  if (!seconds) return IDLE_DEFAULT_MS;
  return Math.min(Number(seconds) * 1000 - IDLE_MARGIN_MS, IDLE_MAX_MS);
}
