import type { Issue } from './issue.ts';

/** Channels hear at most once in this time that a cause is back, ms. Its end may follow at once. */
const NOTIFY_EVERY_MS = 3_600_000;

/**
 * When channels should hear of an issue that has just come to its state; null where they needn't.
 *
 * - They hear of an open issue at once, but at most once in `NOTIFY_EVERY_MS`. If it is resolved
 *   before that, they never hear of it.
 * - They hear of a resolved issue only if they heard that it was open.
 * - They don't hear of acknowledged and ignored issues.
 */
export function notifyAtOf(
  { state, notified, notifiedAt }: Pick<Issue, 'state' | 'notified' | 'notifiedAt'>,
  now: number,
): number | null {
  if (state === 'open') {
    if (notified === 'open') return null;
    return notifiedAt === null ? now : Math.max(now, notifiedAt + NOTIFY_EVERY_MS);
  }
  return state === 'resolved' && notified === 'open' ? now : null;
}

/** The issue after channels heard of its state at `now`. */
export function afterNotification<
  T extends Pick<Issue, 'state' | 'notified' | 'notifiedAt' | 'notifyAt'>,
>(issue: T, now: number): T {
  return issue.state === 'open'
    ? { ...issue, notified: 'open', notifiedAt: now, notifyAt: null }
    : { ...issue, notified: 'resolved', notifyAt: null };
}
