import { askedWaitMs, type GrowingPolicy, type RetryPolicy } from './retry-policy.ts';

/**
 * The random variation of a delay: ±20 %. It spreads the retries of deliveries that failed
 * together.
 */
const JITTER = 0.2;

/**
 * Returns the time from a failed attempt to the next one, ms. This is the policy's delay, or
 * `Retry-After` if that is longer. The policy also bounds `Retry-After`.
 *
 * A growing delay is `min(max, base × factor^(attempt-1))` ±20 %, at most `max`. A schedule's
 * delays have no jitter, because the destination's owner chose them.
 *
 * @param attempt number of the failed attempt, from 1
 * @param random returns a number in [0, 1), like `Math.random`
 */
export function retryDelayMs({
  attempt,
  retryAfterMs,
  random,
  policy,
}: {
  attempt: number;
  retryAfterMs: number | null;
  random: () => number;
  policy: RetryPolicy;
}): number {
  const delayMs =
    'delaysMs' in policy
      ? (policy.delaysMs[attempt - 1] ?? 0)
      : growingDelayMs(attempt, policy, random);
  return Math.max(delayMs, askedWaitMs(retryAfterMs, policy) ?? 0);
}

function growingDelayMs(
  attempt: number,
  { baseMs, factor, maxMs }: GrowingPolicy,
  random: () => number,
): number {
  const backoff = Math.min(maxMs, baseMs * factor ** (attempt - 1));
  return Math.min(maxMs, Math.round(backoff * (1 - JITTER + 2 * JITTER * random())));
}
