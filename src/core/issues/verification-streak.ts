import type { Issue, IssueCause } from './issue.ts';
import { type FoldContext, type IssueChanges, IssueDraft, type NewIssue } from './issue-draft.ts';
import { formingIssue, openedIssue, resolvedIssue } from './issue-steps.ts';
import { NOTHING_SEEN, type Sighting, type Tally, withSighting } from './tally.ts';

/*
 * Failed verifications are facts: each is counted once, also while no issue is open. How
 * the newest requests fared (`verification-condition.ts`) opens and closes the issue. Until
 * it opens, the failures since the endpoint's requests last passed wait in its streak.
 */

/** An event that failed its verification, or a rejected request. */
export interface FailureSeen extends Sighting {
  endpointKey: number;
  userId: string;
}

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
  if (!isClosed(issue)) return { ...issue, ...withSighting(issue, fact) };
  return { ...issue, streak: { waiting: withSighting(waitingOf(issue) ?? NOTHING_SEEN, fact) } };
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

/** The failures that were counted while no issue was open. */
function waitingOf({ streak }: NewIssue): Tally | null {
  return (streak.waiting as Tally | undefined) ?? null;
}
