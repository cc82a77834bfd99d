import type { Issue, IssueCause } from './issue.ts';
import type { FoldContext, NewIssue } from './issue-draft.ts';
import { formingIssue, openedIssue, resolvedIssue } from './issue-steps.ts';
import { NOTHING_SEEN, type Sighting, withSighting } from './tally.ts';

/** A condition, such as a backlog, at the time of a check. */
export interface ConditionSeen {
  userId: string;
  /** Null if the check can't decide. */
  holds: boolean | null;
  /** When the check saw the condition, and in which events. Oldest first. */
  sightings: readonly Sighting[];
  /** Numbers for the issue's texts. The issue's streak stores them. */
  terms?: Readonly<Record<string, number>>;
}

/** The streak of an issue that closed by itself. */
const OVER = { isOver: true };

/**
 * Returns the issue of a condition after a check. The issue opens when the condition holds, and
 * closes when the condition ends.
 *
 * If a person resolves the issue while the condition holds, only a new sighting reopens it. An
 * ignored issue keeps counting and never closes by itself.
 */
export function foldCondition(
  before: NewIssue | null,
  cause: IssueCause,
  { userId, holds, sightings, terms = {} }: ConditionSeen,
  context: FoldContext,
): NewIssue | null {
  const { now } = context;
  if (before && before.state !== 'resolved') {
    if (holds !== false) return withSightings(before, newSightings(before, sightings));
    if (before.state === 'ignored') return before;
    const streak = { ...before.streak, ...OVER };
    return resolvedIssue({ ...before, streak }, now);
  }
  if (!holds) return before;
  const seen = before ? newSightings(before, sightings) : sightings;
  if (before && seen.length === 0 && before.streak.isOver !== true) return before;
  const issue = before ?? formingIssue(cause, userId, context);
  const last = seen.length > 0 ? seen : sightings.slice(-1);
  const fresh = { ...issue, ...NOTHING_SEEN, firstAt: now, lastAt: now, streak: terms };
  return openedIssue(withSightings(fresh, last), now);
}

/**
 * Closes the issue of a condition that can't hold any more, such as one of a deleted destination.
 */
export function endCondition(issue: Issue, context: FoldContext): NewIssue {
  const gone = { userId: issue.userId, holds: false, sightings: [] };
  return foldCondition(issue, issue, gone, context) ?? issue;
}

function newSightings({ lastAt, eventIds }: NewIssue, all: readonly Sighting[]): Sighting[] {
  return all.filter(
    ({ at, eventId }) => at > lastAt && (eventId === null || !eventIds.includes(eventId)),
  );
}

function withSightings(issue: NewIssue, sightings: readonly Sighting[]): NewIssue {
  let after = issue;
  for (const one of sightings) after = { ...after, ...withSighting(after, one) };
  return after;
}
