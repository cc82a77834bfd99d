import type { Issue } from './issue.ts';

/** A cause is told at most once in this time, ms; its end may follow at any time. */
export const NOTIFY_EVERY_MS = 3_600_000;

/**
 * When channels are to be told of an issue that has just come to its state; null where
 * there is nothing to tell.
 *
 * - An opening is told at once, and at most once in `TELL_EVERY_MS`. One that resolves
 *   before it was told is never told.
 * - An end is told where the opening was.
 * - What a person acknowledged or ignores is silent.
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

/** The issue after its state was told at `now`. */
export function afterNotification<
  T extends Pick<Issue, 'state' | 'notified' | 'notifiedAt' | 'notifyAt'>,
>(issue: T, now: number): T {
  return issue.state === 'open'
    ? { ...issue, notified: 'open', notifiedAt: now, notifyAt: null }
    : { ...issue, notified: 'resolved', notifyAt: null };
}
