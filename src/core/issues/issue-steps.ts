import type { IssueCause } from './issue.ts';
import type { FoldContext, NewIssue } from './issue-draft.ts';
import { notifyAtOf } from './notify-at.ts';

export function formingIssue(
  { kind, endpointKey, destinationKey, subject }: IssueCause,
  userId: string,
  { now, makeId }: FoldContext,
): NewIssue {
  return {
    ...{ id: makeId(), userId, kind, endpointKey, destinationKey, subject },
    state: 'forming',
    count: 0,
    firstAt: now,
    lastAt: now,
    eventIds: [],
    streak: {},
    successes: 0,
    explanation: null,
    notified: null,
    notifiedAt: null,
    notifyAt: null,
  };
}

/** Returns the issue in state `open`, for the first time or again. */
export function openedIssue(issue: NewIssue, now: number): NewIssue {
  const opened: NewIssue = { ...issue, state: 'open', explanation: null };
  return { ...opened, notifyAt: notifyAtOf(opened, now) };
}

/** Returns the issue in state `resolved`, closed by itself. */
export function resolvedIssue(issue: NewIssue, now: number): NewIssue {
  const lastAt = Math.max(issue.lastAt, now);
  const resolved: NewIssue = { ...issue, state: 'resolved', lastAt, successes: 0 };
  return { ...resolved, notifyAt: notifyAtOf(resolved, now) };
}
