import { parsePath, pathText } from '../rules/path.ts';
import { MAX_STEPS } from '../rules/rule-limits.ts';
import { type KindName, kindNames, kindOf } from './kind-of.ts';
import type { JsonPayload } from './payload.ts';
import { KIND, type PayloadShape, type ShapeMember, type ShapePlace } from './shape.ts';

/** How many objects in a row must have a member before its absence counts as a drift. */
const STEADY_OBJECTS = 50;
/**
 * If a member was absent before, it is steady only after a run of objects in which this many
 * absences were to be expected. The chance of a run without any is then e^-20, or 2 in 10^9.
 */
const EXPECTED_ABSENCES = 20;
/**
 * This number, divided by the count of absences, is added to the number of objects before the run.
 * Otherwise a member that was absent once among the first few objects would look often absent.
 */
const FEW_ABSENCES = 20;
/** How many differences are listed for one payload. */
export const MAX_DRIFTS = 20;

/** A difference between a payload and the earlier payloads of its type. */
export interface Drift {
  /** `missing` and `retyped` are alarms. `new` is a note. */
  kind: 'missing' | 'retyped' | 'new';
  /** The member, as rules name it: `body.customer."e.mail"`. */
  path: string;
  /** The kinds of the member's earlier values. Empty for `new`. */
  expected: KindName[];
  /** The kind of the member's value in this payload. Null for `missing`. */
  seen: KindName | null;
}

/**
 * Returns how a payload differs from the shape: at most 20 differences, alarms first. Must be
 * called before the payload is merged.
 *
 * A member is **steady** if the last 50 or more objects at its place all had it. If it was absent
 * earlier, this run must also be too long to be chance: at the earlier rate, 20 absences were to be
 * expected in it. So a member that 9 in 10 payloads have isn't steady only because of a run of 50.
 *
 * - `missing`: an object lacks a steady member.
 * - `retyped`: a steady member has a value of another kind than all earlier values. All numbers are
 *   one kind. A member that had several kinds, or was ever null, is never retyped.
 * - `new`: an object has a member that all 50 or more earlier objects lacked.
 *
 * Arrays and maps are not compared, because their elements vary. Nor are members that are nested
 * deeper than a rule's path can reach (31 names).
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

/** Returns whether a drift opens an issue. */
export function isAlarm({ kind }: Drift): boolean {
  return kind !== 'new';
}

/**
 * Accepts a difference without its payload. A `missing` member becomes optional, and a `retyped`
 * member may have both kinds. Merging the payload has the same effect, but also learns everything
 * else in it.
 *
 * @returns false if the member is `new`, or if the shape doesn't have it
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

/**
 * Compares a value with its place.
 *
 * @param path the path of the place; it changes meanwhile, but is the same when this returns
 */
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

/**
 * Compares the value of a member with its place.
 *
 * @param value undefined if the member is absent
 */
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

/** Returns the value of an own member. Undefined if there is none: JSON has no undefined. */
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
