import type { Issue } from './issue.ts';

/**
 * Channels report at most once in this time that a cause is back, ms. Its end may follow sooner.
 */
const NOTIFY_EVERY_MS = 3_600_000;

/**
 * Returns when channels should report an issue that has just changed its state. Null if they
 * needn't.
 *
 * - They report an open issue at once, but at most once in `NOTIFY_EVERY_MS`. If the issue is
 *   resolved before that, they never report it.
 * - They report a resolved issue only if they reported that it was open.
 * - They don't report acknowledged and ignored issues.
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

/** Returns the issue after channels reported its state at `now`. */
export function afterNotification<
  T extends Pick<Issue, 'state' | 'notified' | 'notifiedAt' | 'notifyAt'>,
>(issue: T, now: number): T {
  return issue.state === 'open'
    ? { ...issue, notified: 'open', notifiedAt: now, notifyAt: null }
    : { ...issue, notified: 'resolved', notifyAt: null };
}
