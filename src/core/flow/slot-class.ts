/**
 * The health of a destination decides how many of the server's slots it gets.
 *
 * | state | what its last attempt showed | slots |
 * |---|---|---|
 * | untried | nothing yet: no attempt has ended | one |
 * | healthy | the slot came back before the deadline, whatever the answer was | as many as one destination may have |
 * | failing | the slot was kept until the deadline or a flood limit | one |
 *
 *     untried ── in time ──▶ healthy
 *     untried ── timed out ──▶ failing
 *     healthy ── timed out ──▶ failing
 *     failing ── in time ──▶ healthy
 *
 * Each attempt of a live claim moves it, in the transaction that records the
 * attempt and in the dispatcher at once. Nothing leads back to untried. A
 * destination that isn't healthy is called unhealthy: untried or failing.
 *
 * It only decides slots. What people see as a destination's health, and whether its
 * breaker is open, is its flow (`flow/flow.ts`).
 */
export interface DestinationHealth {
  readonly state: 'untried' | 'healthy' | 'failing';
}

export const UNTRIED: DestinationHealth = { state: 'untried' };
export const HEALTHY: DestinationHealth = { state: 'healthy' };
export const FAILING: DestinationHealth = { state: 'failing' };

/** The health after one more attempt: `health` itself where nothing changes. */
export function nextHealth(
  health: DestinationHealth,
  { timedOut }: { timedOut: boolean },
): DestinationHealth {
  const next = timedOut ? FAILING : HEALTHY;
  return next.state === health.state ? health : next;
}

export function isHealthy({ state }: DestinationHealth): boolean {
  return state === 'healthy';
}

/**
 * Attempts that a destination may have under way at once.
 *
 * @param most what any one destination may have
 */
export function slotsFor(health: DestinationHealth, most: number): number {
  return isHealthy(health) ? most : 1;
}
