import type { DestinationSettings } from '../../core/settings/destination-settings.ts';

/** When and how often a failed delivery is retried. */
export type RetryPolicy = GrowingPolicy | ScheduledPolicy;

/** The delay grows with each attempt. */
export interface GrowingPolicy {
  /** How many attempts a delivery gets at most, including the first. */
  attempts: number;
  /** Delay after the first attempt, ms. */
  baseMs: number;
  /** How many times longer each delay is than the one before. */
  factor: number;
  /** The longest delay, ms. It also bounds `Retry-After`. */
  maxMs: number;
}

/** The delays of all retries, in order. There is one attempt more than there are delays. */
interface ScheduledPolicy {
  delaysMs: readonly number[];
}

/**
 * With a schedule, `Retry-After` can ask for a wait of this length even if all delays of the
 * schedule are shorter, ms. Otherwise a receiver could not ask for a minute if the schedule has
 * only seconds.
 */
const SCHEDULE_RETRY_AFTER_MS = 60 * 60 * 1000;

/** Returns the policy of a destination: its own if it has one, otherwise the server's. */
export function policyOf(settings: DestinationSettings['retry'], server: RetryPolicy): RetryPolicy {
  if (settings === null) return server;
  if ('schedule' in settings) return { delaysMs: settings.schedule };
  const { attempts, base, factor, max } = settings;
  return { attempts, baseMs: base, factor, maxMs: max };
}

/** Returns how many attempts a delivery gets at most, including the first. */
export function mostAttempts(policy: RetryPolicy): number {
  return 'delaysMs' in policy ? policy.delaysMs.length + 1 : policy.attempts;
}

/** Returns the longest wait that `Retry-After` can ask for, ms. */
export function longestRetryAfterMs(policy: RetryPolicy): number {
  if (!('delaysMs' in policy)) return policy.maxMs;
  return Math.max(SCHEDULE_RETRY_AFTER_MS, ...policy.delaysMs);
}

/**
 * Returns the wait that a destination asks for, ms, bounded by the policy. Returns null if it asks
 * for none. A wait of 0 counts as none, because an open breaker would otherwise probe without a
 * pause.
 */
export function askedWaitMs(retryAfterMs: number | null, policy: RetryPolicy): number | null {
  return retryAfterMs ? Math.min(retryAfterMs, longestRetryAfterMs(policy)) : null;
}
