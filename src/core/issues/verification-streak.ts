import type { Issue, IssueCause } from './issue.ts';
import { type FoldContext, type IssueChanges, IssueDraft, type NewIssue } from './issue-draft.ts';
import { formingIssue, openedIssue, resolvedIssue } from './issue-steps.ts';
import { NOTHING_SEEN, type Sighting, type Tally, withSighting } from './tally.ts';

/**
 * Each failed verification counts once, even while no issue is open. `verification-condition.ts`
 * decides when the issue opens and closes. A closed issue's streak counts the failures since the
 * endpoint's requests last passed.
 */

/** A failed verification of an event or a rejected request. */
export interface FailureSeen extends Sighting {
  endpointKey: number;
  userId: string;
}

export function verificationCause(endpointKey: number): IssueCause {
  return { kind: 'verification', endpointKey, destinationKey: 0, subject: '' };
}

/** @param known the existing issues of these causes */
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
 * Returns the issue after the newest requests were judged. If they fail, the issue opens with the
 * failures of its streak. If they pass, the issue closes. An ignored issue keeps counting and never
 * closes by itself. If a person resolves the issue while requests fail, the next failure reopens
 * it.
 *
 * @param holds the result of `verificationCondition`
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

/** Returns the failures that were counted while no issue was open. */
function waitingOf({ streak }: NewIssue): Tally | null {
  return (streak.waiting as Tally | undefined) ?? null;
}
