import { type FailureRun, isLong, withFailure as withFailedEvent } from './failure-run.ts';
import { type Issue, type IssueCause, OTHER_CODES } from './issue.ts';
import { type FoldContext, type IssueChanges, IssueDraft, type NewIssue } from './issue-draft.ts';
import { formingIssue, openedIssue, resolvedIssue } from './issue-steps.ts';
import { NOTHING_SEEN, type Tally, withSighting } from './tally.ts';

/** The number of successes in a row that ends a streak. */
export const CLOSING_SUCCESSES = 20;
/**
 * The largest number of a destination's unresolved issues for HTTP statuses. Further statuses share
 * one more issue.
 */
const MOST_STATUSES = 20;

export interface AttemptSeen {
  destinationKey: number;
  endpointKey: number;
  /** The account of the endpoint. For an internal destination, the account of the channel. */
  userId: string;
  isInternal: boolean;
  eventId: string;
  /** True if the event is a copy that a person edited. */
  isEdited: boolean;
  at: number;
  /** Null for a success. Otherwise the error's code, or `http_` and the status. */
  code: string | null;
  /** True if this failure ended the delivery. */
  isDead: boolean;
  /** True if this failure opened the breaker. */
  opensBreaker: boolean;
}

export interface DeliveryFoldContext extends FoldContext {
  /** Destinations without open deliveries. Empty until all attempts have been read. */
  idle: ReadonlySet<number>;
}

/** The failures of one cause since the first failure, and the successes since the last. */
type FailureStreak = Tally & Pick<NewIssue, 'successes'>;

const NO_FAILURES: FailureStreak = { ...NOTHING_SEEN, successes: 0 };

/**
 * Folds attempts, in order, into the issues of kind `delivery` and `alert`. Each destination has
 * one issue for each error code.
 *
 * A failure adds to the streak of its code. An issue opens when a delivery dies of the failure, when
 * the failure opens the breaker, or when it makes the failures in a row a long run (`FailureRun`),
 * whatever their codes. A failure of an event that a person edited counts only if it opens the
 * breaker, because that person sees it. `CLOSING_SUCCESSES` successes in a row end the streak, even
 * if other codes fail in between. Without open deliveries, one success after the last failure is
 * enough. A streak that ends before its issue opens is dropped.
 *
 * One issue of a destination has the destination's run in the field `streak`: the issue of the last
 * failure.
 *
 * The issue's own fields store its streak. A resolved issue that fails again keeps the new streak
 * in the field `streak`, too, until it reopens. Until then, people still see how the last streak ended.
 *
 * @param known all issues of these kinds at the destinations of the attempts and at idle
 * destinations
 */
export function foldAttempts(
  known: readonly Issue[],
  facts: readonly AttemptSeen[],
  context: DeliveryFoldContext,
): IssueChanges {
  const { now, idle } = context;
  const draft = new IssueDraft(known);
  for (const fact of facts) {
    if (fact.code === null) {
      draft.mapDestination(fact.destinationKey, (issue) => afterSuccess(withoutRun(issue), now));
    } else if (counts(fact)) {
      const cause = causeOf(fact, fact.code, draft);
      const run = runAfter(takeRun(draft, fact.destinationKey), fact);
      const before = draft.get(cause) ?? formingIssue(cause, fact.userId, context);
      const opens = fact.isDead || fact.opensBreaker || endsLongRun(run, fact);
      draft.put(cause, withRun(afterFailure(before, fact, opens, now), run));
    }
  }
  for (const key of idle) draft.mapDestination(key, (issue) => whenIdle(issue, now));
  return draft.changes();
}

/**
 * Begins an empty streak at each failing destination without a streak. The store skips successes at
 * destinations without a streak. So it would skip a success in the same batch as the first failure.
 */
export function beginStreaks(
  known: readonly Issue[],
  facts: readonly AttemptSeen[],
  context: FoldContext,
): IssueChanges {
  const draft = new IssueDraft(known);
  const begun = new Set(known.filter(hasStreak).map(({ destinationKey }) => destinationKey));
  for (const fact of facts) {
    if (fact.code === null || !counts(fact) || begun.has(fact.destinationKey)) continue;
    begun.add(fact.destinationKey);
    const cause = causeOf(fact, fact.code, draft);
    const before = draft.get(cause);
    draft.put(
      cause,
      before ? { ...before, streak: NO_FAILURES } : formingIssue(cause, fact.userId, context),
    );
  }
  return draft.changes();
}

function counts({ isEdited, opensBreaker }: AttemptSeen): boolean {
  return !isEdited || opensBreaker;
}

/**
 * Returns whether a failure is part of the destination's run. One of a channel isn't: a channel's
 * alert opens at a death. Neither is one that hookrelay didn't send, because the event isn't
 * verified.
 */
function isInRun({ isEdited, isInternal, code }: AttemptSeen): boolean {
  return !isEdited && !isInternal && code !== 'not_verified';
}

function runAfter(run: FailureRun | null, fact: AttemptSeen): FailureRun | null {
  return isInRun(fact) ? withFailedEvent(run, fact) : run;
}

function endsLongRun(run: FailureRun | null, fact: AttemptSeen): boolean {
  return run !== null && isInRun(fact) && isLong(run, fact.at);
}

/** Removes the run of a destination from its issues, and returns it. */
function takeRun(draft: IssueDraft, destinationKey: number): FailureRun | null {
  let run: FailureRun | null = null;
  draft.mapDestination(destinationKey, (issue) => {
    // When a person resolves an issue, its run ends.
    if (hasStreak(issue)) run = readRun(issue.streak) ?? run;
    return withoutRun(issue);
  });
  return run;
}

function withRun(issue: NewIssue, run: FailureRun | null): NewIssue {
  return run ? { ...issue, streak: { ...issue.streak, run } } : issue;
}

function withoutRun(issue: NewIssue): NewIssue {
  const { run, ...streak } = issue.streak;
  return run === undefined ? issue : { ...issue, streak };
}

function readRun({ run }: NewIssue['streak']): FailureRun | null {
  return run === undefined ? null : (run as FailureRun);
}

function hasStreak({ state, streak }: NewIssue): boolean {
  return state !== 'resolved' || readStreak(streak) !== null;
}

function causeOf(fact: AttemptSeen, code: string, draft: IssueDraft): IssueCause {
  const { endpointKey, destinationKey, isInternal } = fact;
  const kind = isInternal ? 'alert' : 'delivery';
  const own: IssueCause = { kind, endpointKey, destinationKey, subject: code };
  // A receiver can make up statuses, but no other codes.
  if (!code.startsWith('http_')) return own;
  const known = draft.get(own);
  const hasPlace = known && known.state !== 'resolved';
  return hasPlace || draft.countStatuses(destinationKey) < MOST_STATUSES
    ? own
    : { ...own, subject: OTHER_CODES };
}

function afterFailure(issue: NewIssue, fact: AttemptSeen, opens: boolean, now: number): NewIssue {
  switch (issue.state) {
    case 'open':
    case 'acknowledged':
    case 'ignored':
      return { ...issue, ...withFailure(issue, fact) };
    case 'forming': {
      const after = { ...issue, ...withFailure(issue, fact) };
      return opens ? openedIssue(after, now) : after;
    }
    case 'resolved': {
      const streak = withFailure(readStreak(issue.streak) ?? NO_FAILURES, fact);
      if (!opens) return { ...issue, streak };
      return openedIssue({ ...issue, ...streak, streak: {} }, now);
    }
  }
}

function withFailure(streak: FailureStreak, fact: AttemptSeen): FailureStreak {
  return { ...withSighting(streak, fact), successes: 0 };
}

/**
 * Counts a success after the first failure. Returns null if the streak ends before its issue opens.
 */
function afterSuccess(issue: NewIssue, now: number): NewIssue | null {
  if (issue.state === 'ignored') return issue;
  if (issue.state === 'resolved') {
    const streak = readStreak(issue.streak);
    if (!streak || streak.count === 0) return issue;
    const successes = streak.successes + 1;
    return { ...issue, streak: successes < CLOSING_SUCCESSES ? { ...streak, successes } : {} };
  }
  if (issue.count === 0) return issue;
  const successes = issue.successes + 1;
  return successes < CLOSING_SUCCESSES ? { ...issue, successes } : ended(issue, now);
}

function whenIdle(issue: NewIssue, now: number): NewIssue | null {
  if (issue.state === 'ignored') return issue;
  if (issue.state !== 'resolved') return issue.successes > 0 ? ended(issue, now) : issue;
  const streak = readStreak(issue.streak);
  return streak && streak.successes > 0 ? { ...issue, streak: {} } : issue;
}

function ended(issue: NewIssue, now: number): NewIssue | null {
  return issue.state === 'forming' ? null : resolvedIssue(issue, now);
}

function readStreak(stored: NewIssue['streak']): FailureStreak | null {
  return typeof stored.count === 'number' ? (stored as FailureStreak) : null;
}
