import type { Issue, IssueCause } from './issue.ts';
import { type FoldContext, type IssueChanges, IssueDraft, type NewIssue } from './issue-draft.ts';
import { formingIssue, openedIssue, resolvedIssue } from './issue-steps.ts';
import { withEvent } from './newest-events.ts';

/*
 * Failed verifications are facts: each is counted once, also while no issue is open. How
 * the newest requests fared (`verification-condition.ts`) opens and closes the issue. Until
 * it opens, the failures since the endpoint's requests last passed wait in its streak.
 */

/** An event that failed its verification, or a rejected request. */
export interface FailureSeen {
  endpointKey: number;
  userId: string;
  /** Null for a rejected request. */
  eventId: string | null;
  at: number;
}

/** Failures that were counted while no issue was open. */
type UnreportedFailures = Pick<Issue, 'count' | 'firstAt' | 'lastAt' | 'eventIds'>;

/** The cause of an endpoint's failed verifications. */
export function verificationCause(endpointKey: number): IssueCause {
  return { kind: 'verification', endpointKey, destinationKey: 0, subject: '' };
}

/**
 * Counts failures, in their order.
 *
 * @param known the issues of these causes that exist
 */
export function foldFailures(
  known: readonly Issue[],
  facts: readonly FailureSeen[],
  context: FoldContext,
): IssueChanges {
  const draft = new IssueDraft(known);
  for (const fact of facts) {
    const cause = verificationCause(fact.endpointKey);
    const before = draft.get(cause) ?? formingIssue(cause, fact.userId, context);
    draft.put(cause, afterFailure(before, fact));
  }
  return draft.changes();
}

function afterFailure(issue: NewIssue, fact: FailureSeen): NewIssue {
  if (!isClosed(issue)) return { ...issue, ...counted(issue, fact) };
  const { at } = fact;
  const before = waitingOf(issue) ?? { count: 0, firstAt: at, lastAt: at, eventIds: [] };
  return { ...issue, streak: { waiting: counted(before, fact) } };
}

function counted(
  { count, firstAt, lastAt, eventIds }: UnreportedFailures,
  fact: FailureSeen,
): UnreportedFailures {
  const { at, eventId } = fact;
  return {
    count: count + 1,
    firstAt: Math.min(firstAt, at),
    lastAt: Math.max(lastAt, at),
    eventIds: eventId === null ? eventIds : withEvent(eventIds, eventId),
  };
}

/**
 * The issue after a look at the newest requests. It opens when they fail, with the failures
 * that wait, and closes when they pass. An ignored one counts on and never closes by itself.
 * A person may resolve an issue while they fail: it opens again at the next failure.
 */
export function afterJudging(
  issue: NewIssue | null,
  holds: boolean | null,
  now: number,
): NewIssue | null {
  if (!issue || holds === null) return issue;
  if (!isClosed(issue)) {
    return holds || issue.state === 'ignored'
      ? issue
      : resolvedIssue({ ...issue, streak: {} }, now);
  }
  const waiting = waitingOf(issue);
  if (!waiting) return issue;
  if (holds) return openedIssue({ ...issue, ...waiting, streak: {} }, now);
  return issue.state === 'forming' ? null : { ...issue, streak: {} };
}

function isClosed({ state }: NewIssue): boolean {
  return state === 'forming' || state === 'resolved';
}

function waitingOf({ streak }: NewIssue): UnreportedFailures | null {
  return (streak.waiting as UnreportedFailures | undefined) ?? null;
}
