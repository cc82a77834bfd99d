import type { DestinationSettings } from '../../core/settings/destination-settings.ts';

/** Says when and how often a failed delivery is retried. */
export type RetryPolicy = GrowingPolicy | ScheduledPolicy;

/** A policy whose delay grows with each attempt. */
export interface GrowingPolicy {
  /** The largest number of attempts of a delivery, including the first. */
  attempts: number;
  /** Delay after the first attempt, ms. */
  baseMs: number;
  /** The factor between a delay and the delay before it. */
  factor: number;
  /** The longest delay, ms. It also bounds `Retry-After`. */
  maxMs: number;
}

/** A policy with fixed delays. There is one attempt more than there are delays. */
interface ScheduledPolicy {
  delaysMs: readonly number[];
}

/**
 * The smallest bound of `Retry-After` with a schedule, ms. A receiver may ask for a longer wait
 * than a schedule of seconds has.
 */
const SCHEDULE_RETRY_AFTER_MS = 60 * 60 * 1000;

/** Returns the destination's policy, or the server's if the destination has none. */
export function policyOf(settings: DestinationSettings['retry'], server: RetryPolicy): RetryPolicy {
  if (settings === null) return server;
  if ('schedule' in settings) return { delaysMs: settings.schedule };
  const { attempts, base, factor, max } = settings;
  return { attempts, baseMs: base, factor, maxMs: max };
}

/** Returns the largest number of attempts of a delivery, including the first. */
export function mostAttempts(policy: RetryPolicy): number {
  return 'delaysMs' in policy ? policy.delaysMs.length + 1 : policy.attempts;
}

/** Returns the longest wait that `Retry-After` can ask for, ms. */
export function longestRetryAfterMs(policy: RetryPolicy): number {
  if (!('delaysMs' in policy)) return policy.maxMs;
  return Math.max(SCHEDULE_RETRY_AFTER_MS, ...policy.delaysMs);
}

/**
 * Returns the wait that a destination asks for, ms, bounded by the policy. Returns null for no wait
 * and for 0, because an open breaker would otherwise probe without a pause.
 */
export function askedWaitMs(retryAfterMs: number | null, policy: RetryPolicy): number | null {
  return retryAfterMs ? Math.min(retryAfterMs, longestRetryAfterMs(policy)) : null;
}
