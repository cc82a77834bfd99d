import type { Issue, IssueCause } from './issue.ts';
import { type FoldContext, type IssueChanges, IssueDraft, type NewIssue } from './issue-draft.ts';
import { formingIssue, openedIssue } from './issue-steps.ts';
import { withEvent } from './newest-events.ts';

/** A duplicate with another body than the event that it repeats. */
export interface ConflictSeen {
  endpointKey: number;
  userId: string;
  eventId: string;
  at: number;
}

/** The cause of an endpoint's conflicts. */
export function conflictCause(endpointKey: number): IssueCause {
  return { kind: 'conflict', endpointKey, destinationKey: 0, subject: '' };
}

/**
 * Folds conflicts, in their order, into one issue for each endpoint. It opens at the first
 * one, and never closes by itself. A conflict after its end opens it again, counted from one.
 *
 * @param known the issues of these causes that exist
 */
export function foldConflicts(
  known: readonly Issue[],
  facts: readonly ConflictSeen[],
  context: FoldContext,
): IssueChanges {
  const draft = new IssueDraft(known);
  for (const fact of facts) {
    const cause = conflictCause(fact.endpointKey);
    const before = draft.get(cause) ?? formingIssue(cause, fact.userId, context);
    draft.put(cause, afterConflict(before, fact, context.now));
  }
  return draft.changes();
}

function afterConflict(issue: NewIssue, { at, eventId }: ConflictSeen, now: number): NewIssue {
  const isNew = issue.state === 'forming' || issue.state === 'resolved';
  const counted = {
    ...issue,
    count: isNew ? 1 : issue.count + 1,
    firstAt: isNew ? at : Math.min(issue.firstAt, at),
    lastAt: isNew ? at : Math.max(issue.lastAt, at),
    eventIds: withEvent(isNew ? [] : issue.eventIds, eventId),
  };
  return isNew ? openedIssue(counted, now) : counted;
}
