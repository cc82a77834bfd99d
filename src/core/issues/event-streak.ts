import type { Issue, IssueCause, IssueKind } from './issue.ts';
import { type FoldContext, type IssueChanges, IssueDraft, type NewIssue } from './issue-draft.ts';
import { formingIssue, openedIssue } from './issue-steps.ts';
import { NOTHING_SEEN, withSighting } from './tally.ts';

/**
 * The kinds of issues that a single event opens. `conflict`: a duplicate and its first event have
 * different bodies. `unjudged`: an event couldn't be judged. `uncomparable`: a destination's filter
 * dropped an event because an operator can't take a value.
 */
export type EventKind = Extract<IssueKind, 'conflict' | 'unjudged' | 'uncomparable'>;

export interface EventSeen {
  endpointKey: number;
  /** Absent for a kind without a destination. */
  destinationKey?: number;
  userId: string;
  eventId: string;
  at: number;
  /** What happened to the event's deliveries. Absent if the issue's texts don't count it. */
  fate?: 'held' | 'delivered';
}

export function eventCause(
  kind: EventKind,
  { endpointKey, destinationKey = 0 }: Pick<EventSeen, 'endpointKey' | 'destinationKey'>,
): IssueCause {
  return { kind, endpointKey, destinationKey, subject: '' };
}

/**
 * Folds events, in order, into one issue for each endpoint or destination. The first event opens the issue. The
 * issue never closes by itself. After a person resolves it, the next event reopens it and counts
 * from one.
 *
 * @param known the existing issues of these causes
 */
export function foldEvents(
  kind: EventKind,
  known: readonly Issue[],
  facts: readonly EventSeen[],
  context: FoldContext,
): IssueChanges {
  const draft = new IssueDraft(known);
  for (const fact of facts) {
    const cause = eventCause(kind, fact);
    const before = draft.get(cause) ?? formingIssue(cause, fact.userId, context);
    draft.put(cause, afterEvent(before, fact, context.now));
  }
  return draft.changes();
}

function afterEvent(issue: NewIssue, fact: EventSeen, now: number): NewIssue {
  const { fate } = fact;
  const isNew = issue.state === 'forming' || issue.state === 'resolved';
  const streak = isNew ? {} : issue.streak;
  const counted = {
    ...issue,
    ...withSighting(isNew ? NOTHING_SEEN : issue, fact),
    streak: fate ? { ...streak, [fate]: fateCount(streak, fate) + 1 } : streak,
  };
  return isNew ? openedIssue(counted, now) : counted;
}

export function fateCount(streak: Issue['streak'], fate: NonNullable<EventSeen['fate']>): number {
  return Number(streak[fate] ?? 0);
}
