import type { DestinationSettings } from '../../core/settings/destination-settings.ts';

/** When and how often a failed delivery is retried. */
export type RetryPolicy = GrowingPolicy | ScheduledPolicy;

/** The delay grows with each attempt. */
export interface GrowingPolicy {
  /** Most attempts of one delivery, including the first. */
  attempts: number;
  /** Delay after the first attempt, ms. */
  baseMs: number;
  /** Ratio of each delay to the one before. */
  factor: number;
  /** Longest delay, ms. `Retry-After` can't exceed it. */
  maxMs: number;
}

/** One delay for each retry, so there is one attempt more than entries. */
interface ScheduledPolicy {
  delaysMs: readonly number[];
}

/**
 * The longest wait that `Retry-After` can ask for with a schedule of shorter entries, ms. Otherwise
 * a receiver behind a schedule of seconds couldn't ask for a minute.
 */
const SCHEDULE_RETRY_AFTER_MS = 60 * 60 * 1000;

/** The policy of a destination: its own, otherwise the server's. */
export function policyOf(settings: DestinationSettings['retry'], server: RetryPolicy): RetryPolicy {
  if (settings === null) return server;
  if ('schedule' in settings) return { delaysMs: settings.schedule };
  const { attempts, base, factor, max } = settings;
  return { attempts, baseMs: base, factor, maxMs: max };
}

/** Most attempts of one delivery, including the first. */
export function mostAttempts(policy: RetryPolicy): number {
  return 'delaysMs' in policy ? policy.delaysMs.length + 1 : policy.attempts;
}

/** The longest wait that a `Retry-After` can ask for, ms. */
export function longestRetryAfterMs(policy: RetryPolicy): number {
  if (!('delaysMs' in policy)) return policy.maxMs;
  return Math.max(SCHEDULE_RETRY_AFTER_MS, ...policy.delaysMs);
}

/**
 * The wait that a destination asks for, ms, bounded by the policy; null where it asks for none. A
 * wait of 0 counts as none: an open breaker would probe without a pause.
 */
export function askedWaitMs(retryAfterMs: number | null, policy: RetryPolicy): number | null {
  return retryAfterMs ? Math.min(retryAfterMs, longestRetryAfterMs(policy)) : null;
}
