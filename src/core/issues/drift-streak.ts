import { type Drift, isAlarm } from '../shapes/drift-of.ts';
import { ISSUE_EVENTS, type Issue, type IssueCause } from './issue.ts';
import type { NewIssue } from './issue-draft.ts';
import { formingIssue, openedIssue } from './issue-steps.ts';

/** The largest size of the drifts in an issue, bytes of JSON. */
const MAX_CHANGES_BYTES = 3 * 1024;

/** The streak of a `drift` issue. */
export interface DriftStreak {
  /** The number of the first drifting event. */
  from: number;
  /** The number of the last counted event. An event that is read twice counts once. */
  seq: number;
  /** The differences from earlier events. Each member is listed once, alarms first. */
  changes: Drift[];
}

export interface DriftingEvent {
  seq: number;
  id: string;
  receivedAt: number;
  /** At least one is an alarm. */
  drifts: readonly Drift[];
}

export interface DriftWatch {
  /**
   * The number of the last event whose drifts a person has accepted. Earlier events raise no alarm.
   */
  quietTo: number;
  /** True if the type has an unresolved issue. Without one, old events raise no alarm. */
  isDrifting: boolean;
}

export function driftStreakOf({ streak }: Pick<Issue, 'streak'>): DriftStreak {
  const { from = 0, seq = 0, changes = [] } = streak as Partial<DriftStreak>;
  return { from, seq, changes };
}

/**
 * Returns how the learner treats a type of event.
 *
 * @param issue undefined if the type has none
 */
export function driftWatch(issue: Issue | undefined): DriftWatch {
  if (!issue) return { quietTo: 0, isDrifting: false };
  const { from, seq } = driftStreakOf(issue);
  return issue.state === 'resolved'
    ? { quietTo: seq, isDrifting: false }
    : { quietTo: from - 1, isDrifting: true };
}

/**
 * Returns the issue of a type after these events. The first drift opens the issue. A drift after
 * the resolution reopens it and counts from one. Returns null if all events are counted already.
 *
 * @param cause has the id for a new issue
 * @param issue undefined if the type has none
 * @param events in ascending order
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

/** Returns the known and the new changes, as many as fit. Each member is listed once. */
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
