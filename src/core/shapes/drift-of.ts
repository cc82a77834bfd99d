import { parsePath, pathText } from '../rules/path.ts';
import { MAX_STEPS } from '../rules/rule-limits.ts';
import { type KindName, kindNames, kindOf } from './kind-of.ts';
import type { JsonPayload } from './payload.ts';
import { KIND, type PayloadShape, type ShapeMember, type ShapePlace } from './shape.ts';

/** Objects in a row that must have a member before its absence is a drift. */
export const STEADY_OBJECTS = 50;
/**
 * Absences that a run of presence must make unlikely, where the member was absent before:
 * a run with this many expected absences and none has a chance of e^-20, 2 in 10^9.
 */
const EXPECTED_ABSENCES = 20;
/**
 * Objects added to those before the run, divided by the absences. One absence among the
 * first few objects would otherwise look like a member that is often absent.
 */
const FEW_ABSENCES = 20;
/** Differences listed for one payload. */
export const MAX_DRIFTS = 20;

/** A difference between a payload and what its type was before. */
export interface Drift {
  /** `missing` and `retyped` are alarms. `new` is a note. */
  kind: 'missing' | 'retyped' | 'new';
  /** The member, as rules name it: `body.customer."e.mail"`. */
  path: string;
  /** The kinds of its values so far. Empty for `new`. */
  expected: KindName[];
  /** The kind of its value now. Null for `missing`. */
  seen: KindName | null;
}

/**
 * How a payload differs from the shape, before it is merged: at most 20 differences,
 * alarms first.
 *
 * A member is **steady** where the last 50 or more objects at its place all had it. Where
 * it was absent earlier, the run must also be too long for chance: at the earlier rate of
 * absence, 20 absences would have been due. So a member that comes in 9 of 10 payloads
 * isn't steady after some run of 50.
 *
 * - `missing`: a steady member is absent from an object that is there.
 * - `retyped`: the value of a steady member has another kind than all its values before.
 *   All numbers are one kind. A member that had several kinds, or was ever null, has none.
 * - `new`: an object has a member that 50 or more before it hadn't.
 *
 * Nothing within arrays and maps counts: their elements vary. Members deeper than the paths
 * of rules reach (31 names) don't count.
 */
export function driftOf(shape: PayloadShape, payload: JsonPayload): Drift[] {
  const found: Drift[] = [];
  const expected = kindNames(shape.root.kinds);
  const [seen] = kindNames(kindOf(payload.value));
  if (shape.payloads >= STEADY_OBJECTS && seen && isRetyped(expected, seen)) {
    found.push({ kind: 'retyped', path: 'body', expected, seen });
  } else compare(shape.root, payload.value, ['body'], found);
  const [alarms, notes] = [found.filter(isAlarm), found.filter((drift) => !isAlarm(drift))];
  return [...alarms, ...notes].slice(0, MAX_DRIFTS);
}

/** Whether people hear of it. */
export function isAlarm({ kind }: Drift): boolean {
  return kind !== 'new';
}

/**
 * Accepts a difference without its payload: a `missing` member becomes optional, a
 * `retyped` one takes both kinds. Merging the payload does the same and learns more.
 *
 * @returns false for a `new` member, and where the shape has no such member any more
 */
export function learn(shape: PayloadShape, drift: Drift): boolean {
  if (drift.kind === 'new') return false;
  const [, ...steps] = parsePath(drift.path);
  let place = shape.root;
  let parent: ShapePlace | null = null;
  let member: ShapeMember | undefined;
  for (const name of steps) {
    if (typeof name !== 'string') return false;
    parent = place;
    member = parent.members?.get(name);
    if (!member) return false;
    place = member.place;
  }
  if (drift.kind === 'retyped') {
    place.kinds |= drift.seen === null ? 0 : KIND_BY_NAME[drift.seen];
    return true;
  }
  if (!member || !parent) return false;
  member.seen = Math.max(0, member.seen - 1);
  member.since = parent.objects;
  return true;
}

const KIND_BY_NAME: Record<KindName, number> = { ...KIND, number: KIND.fraction };

/** `path` is the place's, and is as before when this returns. */
function compare(place: ShapePlace, value: unknown, path: string[], found: Drift[]): void {
  const { members, objects } = place;
  if (kindOf(value) !== KIND.object || members === null || path.length >= MAX_STEPS) return;
  const object = value as Record<string, unknown>;
  for (const [name, member] of members) {
    path.push(name);
    compareMember(member, isSteady(member, objects), ownValue(object, name), path, found);
    path.pop();
  }
  if (objects < STEADY_OBJECTS) return;
  for (const name of Object.keys(object)) {
    if (members.has(name) || found.length >= MAX_DRIFTS) continue;
    const [seen = null] = kindNames(kindOf(object[name]));
    found.push({ kind: 'new', path: pathText([...path, name]), expected: [], seen });
  }
}

/** @param value undefined where the member is absent */
function compareMember(
  { place }: ShapeMember,
  isSteady: boolean,
  value: unknown,
  path: string[],
  found: Drift[],
): void {
  if (value !== undefined) {
    const seen = kindNames(kindOf(value))[0] ?? 'null';
    const expected = kindNames(place.kinds);
    if (isSteady && isRetyped(expected, seen)) {
      found.push({ kind: 'retyped', path: pathText(path), expected, seen });
    } else compare(place, value, path, found);
  } else if (isSteady) {
    const expected = kindNames(place.kinds);
    found.push({ kind: 'missing', path: pathText(path), expected, seen: null });
  }
}

/** JSON has no undefined. */
function ownValue(object: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function isSteady(member: ShapeMember, objects: number): boolean {
  const run = objects - member.since;
  if (member.last !== objects || run < STEADY_OBJECTS) return false;
  const absences = objects - member.seen;
  if (absences === 0) return true;
  const objectsBefore = member.since + FEW_ABSENCES / absences;
  return run * (absences / objectsBefore) >= EXPECTED_ABSENCES;
}

function isRetyped(expected: readonly KindName[], seen: KindName): boolean {
  return expected.length === 1 && expected[0] !== 'null' && expected[0] !== seen;
}
