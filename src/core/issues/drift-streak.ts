import { type Drift, isAlarm } from '../shapes/drift-of.ts';
import { ISSUE_EVENTS, type Issue, type IssueCause } from './issue.ts';
import type { NewIssue } from './issue-draft.ts';
import { formingIssue, openedIssue } from './issue-steps.ts';

/** What an issue keeps of its drifts, bytes of JSON. */
const MAX_CHANGES_BYTES = 3 * 1024;

/** What the issue of a drifting type keeps. */
export interface DriftStreak {
  /** Number of the first event that drifts. */
  from: number;
  /** Number of the last event that was counted. An event that is read again counts once. */
  seq: number;
  /** How the first events differ, each member once. Alarms first. */
  changes: Drift[];
}

/** An event whose payload drifts. */
export interface DriftingEvent {
  seq: number;
  id: string;
  receivedAt: number;
  /** At least one alarm. */
  drifts: readonly Drift[];
}

/** How the learner treats events of a type. */
export interface DriftWatch {
  /** Events up to this number raise no alarm: people have accepted what they brought. */
  quietTo: number;
  /** Whether the type drifts now. Otherwise old events raise no alarm: they are history. */
  isDrifting: boolean;
}

/** The streak of an issue of kind `drift`. */
export function driftStreakOf({ streak }: Pick<Issue, 'streak'>): DriftStreak {
  const { from = 0, seq = 0, changes = [] } = streak as Partial<DriftStreak>;
  return { from, seq, changes };
}

/** What is watched for at a type with this issue, or with none. */
export function driftWatch(issue: Issue | undefined): DriftWatch {
  if (!issue) return { quietTo: 0, isDrifting: false };
  const { from, seq } = driftStreakOf(issue);
  return issue.state === 'resolved'
    ? { quietTo: seq, isDrifting: false }
    : { quietTo: from - 1, isDrifting: true };
}

/**
 * The issue after these events, in ascending order. A first drift opens it, and a drift after
 * its end opens it again with a count of its own. Null where all of them are counted already.
 *
 * @param cause with the id of a new issue
 * @param issue the one that exists
 */
export function afterDrifts(
  cause: IssueCause & Pick<Issue, 'id' | 'userId'>,
  issue: Issue | undefined,
  events: readonly DriftingEvent[],
  now: number,
): NewIssue | null {
  const before = issue && driftStreakOf(issue);
  const fresh = events.filter(({ seq }) => seq > (before?.seq ?? 0));
  const [first, last] = [fresh[0], fresh.at(-1)];
  if (!first || !last) return null;
  const seen = {
    count: fresh.length,
    firstAt: first.receivedAt,
    lastAt: last.receivedAt,
    eventIds: fresh
      .map(({ id }) => id)
      .reverse()
      .slice(0, ISSUE_EVENTS),
  };
  const streak = (from: number, known: readonly Drift[]) =>
    ({ from, seq: last.seq, changes: changesOf(known, fresh) }) satisfies DriftStreak;
  if (issue && before && issue.state !== 'resolved') {
    return {
      ...issue,
      count: issue.count + seen.count,
      lastAt: Math.max(issue.lastAt, seen.lastAt),
      eventIds: [...new Set([...seen.eventIds, ...issue.eventIds])].slice(0, ISSUE_EVENTS),
      streak: { ...streak(before.from, before.changes) },
    };
  }
  const forming = issue ?? formingIssue(cause, cause.userId, { now, makeId: () => cause.id });
  return openedIssue({ ...forming, ...seen, streak: { ...streak(first.seq, []) } }, now);
}

/** The known changes and those of these events, as far as they fit. Each member is in it once. */
function changesOf(known: readonly Drift[], events: readonly DriftingEvent[]): Drift[] {
  const changes = [...known];
  const paths = new Set(known.map(({ path }) => path));
  let bytes = bytesOf(known);
  for (const drift of events.flatMap(({ drifts }) => drifts)) {
    if (paths.has(drift.path)) continue;
    paths.add(drift.path);
    const size = bytesOf(drift) + 1;
    if (bytes + size > MAX_CHANGES_BYTES) continue;
    bytes += size;
    changes.push(drift);
  }
  return [...changes.filter(isAlarm), ...changes.filter((drift) => !isAlarm(drift))];
}

function bytesOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}
