/** When a failed delivery is tried again, and how often. */
export interface RetryPolicy {
  /** Most attempts of one delivery, including the first. */
  attempts: number;
  /** Delay after the first attempt, ms. */
  baseMs: number;
  /** Ratio of each delay to the one before. */
  factor: number;
  /** Longest delay, ms. `Retry-After` can't exceed it. */
  maxMs: number;
}

/** Spreads the retries of deliveries that failed together: ±20 %. */
const JITTER = 0.2;

/**
 * Time from a failed attempt to the next one, ms: `min(max, base ×
 * factor^(attempt-1))` ±20 %, but at least what `Retry-After` asked for, and at
 * most `policy.maxMs`.
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
  const { baseMs, factor, maxMs } = policy;
  const backoff = Math.min(maxMs, baseMs * factor ** (attempt - 1));
  const jittered = Math.round(backoff * (1 - JITTER + 2 * JITTER * random()));
  return Math.min(maxMs, Math.max(jittered, retryAfterMs ?? 0));
}
