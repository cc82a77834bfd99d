import type { Issue, IssueCause } from './issue.ts';
import type { FoldContext, NewIssue } from './issue-draft.ts';
import { formingIssue, openedIssue, resolvedIssue } from './issue-steps.ts';
import { NOTHING_SEEN, type Sighting, withSighting } from './tally.ts';

/** A condition, such as a backlog, as a check found it. */
export interface ConditionSeen {
  userId: string;
  /** Null where neither is clear. */
  holds: boolean | null;
  /** When and at which events it showed, oldest first. */
  sightings: readonly Sighting[];
  /** Numbers for the issue's words. The issue's streak keeps them. */
  terms?: Readonly<Record<string, number>>;
}

/** In the streak of an issue that closed by itself. */
const OVER = { isOver: true };

/**
 * The issue of a condition after a check. It opens when the condition holds, counts new sightings,
 * and closes when the condition is gone.
 *
 * A person may resolve an issue while the condition holds. Then only a new sighting opens it again.
 * An ignored issue counts on and never closes by itself.
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

/** Closes an issue whose condition can't hold any more, such as that of a removed destination. */
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
