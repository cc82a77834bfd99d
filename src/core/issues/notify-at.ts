import type { Issue } from './issue.ts';

/** A cause is told at most once in this time, ms; its end may follow at any time. */
export const TELL_EVERY_MS = 3_600_000;

/**
 * When channels are to be told of an issue that has just come to its state; null where
 * there is nothing to tell.
 *
 * - An opening is told at once, and at most once in `TELL_EVERY_MS`. One that resolves
 *   before it was told is never told.
 * - An end is told where the opening was.
 * - What a person acknowledged or ignores is silent.
 */
export function tellAtOf(
  { state, told, toldAt }: Pick<Issue, 'state' | 'told' | 'toldAt'>,
  now: number,
): number | null {
  if (state === 'open') {
    if (told === 'open') return null;
    return toldAt === null ? now : Math.max(now, toldAt + TELL_EVERY_MS);
  }
  return state === 'resolved' && told === 'open' ? now : null;
}

/** The issue after its state was told at `now`. */
export function afterTelling<T extends Pick<Issue, 'state' | 'told' | 'toldAt' | 'tellAt'>>(
  issue: T,
  now: number,
): T {
  return issue.state === 'open'
    ? { ...issue, told: 'open', toldAt: now, tellAt: null }
    : { ...issue, told: 'resolved', tellAt: null };
}
