import type { Issue } from './issue.ts';

/** The shortest time between two reports that an issue is open, ms. */
const NOTIFY_EVERY_MS = 3_600_000;

/**
 * Returns when channels should report an issue that has just changed its state. Null for no report.
 *
 * - Channels report an open issue at once, but at most once in `NOTIFY_EVERY_MS`. They never report
 * an issue that is resolved before that time.
 * - They report a resolution only after they reported the opening.
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

export function afterNotification<
  T extends Pick<Issue, 'state' | 'notified' | 'notifiedAt' | 'notifyAt'>,
>(issue: T, now: number): T {
  return issue.state === 'open'
    ? { ...issue, notified: 'open', notifiedAt: now, notifyAt: null }
    : { ...issue, notified: 'resolved', notifyAt: null };
}
