import { askedWaitMs, type GrowingPolicy, type RetryPolicy } from './retry-policy.ts';

/** Spreads the retries of deliveries that failed together: ±20 %. */
const JITTER = 0.2;

/**
 * Time from a failed attempt to the next one, ms: the policy's delay, but at least
 * what `Retry-After` asked for, bounded by the policy.
 *
 * A growing delay is `min(max, base × factor^(attempt-1))` ±20 %, at most `max`. An
 * entry of a schedule is waited as given: its owner chose this very time. Retries that
 * fall due together are spread by the limit of attempts at once.
 *
 * @param attempt number of the attempt that failed, from 1
 * @param random in [0, 1), as from `Math.random`
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
