import type { Issue, IssueCause } from './issue.ts';
import type { FoldContext, NewIssue } from './issue-draft.ts';
import { formingIssue, openedIssue, resolvedIssue } from './issue-steps.ts';
import { NOTHING_SEEN, type Sighting, withSighting } from './tally.ts';

/** What a look says of a condition, such as a backlog. */
export interface ConditionSeen {
  userId: string;
  /** Null where it is neither clearly there nor clearly gone. */
  holds: boolean | null;
  /** When it showed, and at which event: oldest first. */
  sightings: readonly Sighting[];
  /** What the words of the issue say of it. Kept in the issue's streak. */
  terms?: Readonly<Record<string, number>>;
}

/** A resolved issue has it unless a person resolved it. */
const OVER = { isOver: true };

/**
 * The issue of a condition after a look. It opens when the condition holds, and closes when
 * it is gone. New sightings are counted.
 *
 * A person may resolve an issue while the condition lasts: it opens again at a new sighting
 * only. An ignored one counts on and never closes by itself.
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

/** Closes an issue whose place no longer has what the condition is about. */
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
