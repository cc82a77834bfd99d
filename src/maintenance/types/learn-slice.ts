import { newId } from '../../core/ids.ts';
import { afterDrifts, type DriftingEvent, driftWatch } from '../../core/issues/drift-streak.ts';
import type { Issue, IssueCause } from '../../core/issues/issue.ts';
import { MOST_TYPES } from '../../core/shapes/most-types.ts';
import type { IssueStore } from '../../store/contract/issues.ts';
import type {
  EventToLearn,
  Learned,
  StoredType,
  TypeRef,
  TypeStore,
} from '../../store/contract/types.ts';
import type { LearningThread } from './learning-thread.ts';
import type { MergedType } from './learning-work.ts';

/**
 * The age at which an event is history and opens no issue, ms. Otherwise the first pass over an old
 * store would report last year's drifts.
 */
const HISTORY_MS = 24 * 3_600_000;

export interface LearningStores {
  types: TypeStore;
  issues: Pick<IssueStore, 'byCauses' | 'save'>;
}

/** A slice of events, with the cursor before and after it. */
export interface LearnedSlice {
  before: number;
  events: readonly EventToLearn[];
  after: number;
}

/** A type in the slice, with its stored state and its events. */
interface SliceType {
  ref: TypeRef;
  stored: StoredType | undefined;
  issue: Issue | undefined;
  events: EventToLearn[];
}

let lastSlice = 0;

/**
 * Learns from a slice of events. One commit saves the issues, and the next saves the shapes with
 * the cursor. After a crash between the commits, the slice is learned again. Each issue stores the
 * number of its last event, so no event counts twice.
 *
 * @returns false if another node learned the slice first, or a person accepted a drift. The caller
 *   must then read the slice again
 */
export async function learnSlice(
  { before, events, after }: LearnedSlice,
  { types, issues }: LearningStores,
  thread: LearningThread,
  now: number,
): Promise<boolean> {
  if (events.length === 0) {
    return types.save({ cursor: { before, after }, added: [], changed: [] }, MOST_TYPES);
  }
  const slice = ++lastSlice;
  const read = await thread.read({ slice, events });
  const stored = byName(await types.findMany(read.types));
  const known = await issues.byCauses(read.types.map(causeOf));
  const issueOf = byName(known.map((issue) => ({ ...issue, type: issue.subject })));
  const slices: SliceType[] = read.types.map((ref, place) => ({
    ref,
    stored: stored.get(nameOf(ref)),
    issue: issueOf.get(nameOf(ref)),
    events: events.filter((_, i) => read.typeOf[i] === place),
  }));
  const merged = await thread.merge({
    slice,
    types: slices.map(({ stored, issue }) => ({
      ...driftWatch(issue),
      shape: stored?.shape ?? null,
    })),
    historyBefore: now - HISTORY_MS,
  });
  if (!(await saveIssues(slices, merged, events, { types, issues }, now))) return false;
  return types.save(learned(slices, merged, { before, after }), MOST_TYPES);
}

/** Commits the drifts. Returns false if one of their issues or types was changed first. */
async function saveIssues(
  slices: readonly SliceType[],
  merged: readonly MergedType[],
  events: readonly EventToLearn[],
  { types, issues }: LearningStores,
  now: number,
): Promise<boolean> {
  const added: Omit<Issue, 'key' | 'version'>[] = [];
  const changed: Issue[] = [];
  const drifting: SliceType[] = [];
  for (const [place, slice] of slices.entries()) {
    const { ref, issue } = slice;
    const found = (merged[place]?.drifting ?? []).map(({ event, drifts }) => ({
      ...(events[event] as EventToLearn),
      drifts,
    }));
    const [first] = found;
    if (!first) continue;
    const cause = { ...causeOf(ref), id: newId('iss', now), userId: first.userId };
    const next = afterDrifts(cause, issue, found satisfies DriftingEvent[], now);
    if (!next) continue;
    drifting.push(slice);
    if (issue) changed.push({ ...next, key: issue.key, version: issue.version });
    else added.push(next);
  }
  if (drifting.length === 0) return true;
  // `acceptDrift` saves the shape before the issue is saved. If this slice read the type or the
  // issue before that, a version differs here.
  const present = byName(await types.findMany(drifting.map(({ ref }) => ref)));
  for (const { ref, stored } of drifting) {
    if (present.get(nameOf(ref))?.version !== stored?.version) return false;
  }
  return issues.save({ added, changed, dropped: [] });
}

function learned(
  slices: readonly SliceType[],
  merged: readonly MergedType[],
  cursor: NonNullable<Learned['cursor']>,
): Learned {
  const added: Learned['added'][number][] = [];
  const changed: StoredType[] = [];
  for (const [place, { ref, stored, events }] of slices.entries()) {
    const times = events.map(({ receivedAt }) => receivedAt);
    const next = {
      ...ref,
      provider: events.at(-1)?.provider ?? stored?.provider ?? null,
      count: (stored?.count ?? 0) + events.length,
      firstAt: Math.min(stored?.firstAt ?? Number.POSITIVE_INFINITY, ...times),
      lastAt: Math.max(stored?.lastAt ?? 0, ...times),
      shape: merged[place]?.shape ?? stored?.shape ?? null,
    };
    if (stored) changed.push({ ...stored, ...next });
    else added.push(next);
  }
  return { cursor, added, changed };
}

function causeOf({ endpointKey, type }: TypeRef): IssueCause {
  return { kind: 'drift', endpointKey, destinationKey: 0, subject: type };
}

function nameOf({ endpointKey, type }: TypeRef): string {
  return `${endpointKey} ${type}`;
}

function byName<T extends TypeRef>(found: readonly T[]): Map<string, T> {
  return new Map(found.map((one) => [nameOf(one), one]));
}
