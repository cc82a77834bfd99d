import { type Drift, isAlarm } from '../shapes/drift-of.ts';
import { ISSUE_EVENTS, type Issue, type IssueCause } from './issue.ts';
import type { NewIssue } from './issue-draft.ts';
import { formingIssue, openedIssue } from './issue-steps.ts';

/** Most bytes of JSON that an issue keeps of its drifts. */
const MAX_CHANGES_BYTES = 3 * 1024;

/** What the issue of a drifting type keeps. */
export interface DriftStreak {
  /** Number of the first drifting event. */
  from: number;
  /** Number of the last counted event, so that an event counts once even if it is read twice. */
  seq: number;
  /** How events differ: each member once, alarms first. */
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
  /** Events up to this number raise no alarm: a person has accepted their drifts. */
  quietTo: number;
  /** The type has an open issue. Without one, old events raise no alarm. */
  isDrifting: boolean;
}

/** The streak of an issue of kind `drift`. */
export function driftStreakOf({ streak }: Pick<Issue, 'streak'>): DriftStreak {
  const { from = 0, seq = 0, changes = [] } = streak as Partial<DriftStreak>;
  return { from, seq, changes };
}

/** How the learner treats a type with this issue; undefined for a type without one. */
export function driftWatch(issue: Issue | undefined): DriftWatch {
  if (!issue) return { quietTo: 0, isDrifting: false };
  const { from, seq } = driftStreakOf(issue);
  return issue.state === 'resolved'
    ? { quietTo: seq, isDrifting: false }
    : { quietTo: from - 1, isDrifting: true };
}

/**
 * The issue after these events, which are in ascending order. The first drift opens it. A drift
 * after its end opens it again, and counts from one. Null where all events are counted already.
 *
 * @param cause has the id for a new issue
 * @param issue undefined for a type without one
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

/** The known changes and those of these events, as many as fit. Each member comes once. */
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
