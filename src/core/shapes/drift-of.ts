import { parsePath, pathText } from '../rules/path.ts';
import { MAX_STEPS } from '../rules/rule-limits.ts';
import { type KindName, kindNames, kindOf } from './kind-of.ts';
import type { JsonPayload } from './payload.ts';
import { KIND, type PayloadShape, type ShapeMember, type ShapePlace } from './shape.ts';

/** This many objects in a row must have a member before its absence is a drift. */
const STEADY_OBJECTS = 50;
/**
 * A member that was absent before is steady only after a run in which this many absences were
 * expected. The chance that none came is then e^-20, or 2 in 10^9.
 */
const EXPECTED_ABSENCES = 20;
/**
 * Divided by the absences, this is added to the objects before the run. Otherwise one absence among
 * the first few objects would look like a member that is often absent.
 */
const FEW_ABSENCES = 20;
/** Most differences that are listed for one payload. */
export const MAX_DRIFTS = 20;

/** A difference between a payload and the earlier payloads of its type. */
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
 * How a payload differs from the shape, before it is merged: at most 20 differences, alarms first.
 *
 * A member is **steady** when the last 50 or more objects at its place all had it. If it was absent
 * earlier, the run must also be too long for chance: at the earlier rate, it would have had 20
 * absences. So a member of 9 in 10 payloads isn't steady after some run of 50.
 *
 * - `missing`: an object lacks a steady member.
 * - `retyped`: a steady member's value is of another kind than all earlier ones. All numbers are
 *   one kind. A member that had several kinds, or was ever null, is never retyped.
 * - `new`: an object has a member that 50 or more objects before it lacked.
 *
 * Arrays and maps don't count, because their elements vary. Neither do members that are deeper than
 * the paths of rules reach (31 names).
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

/** Whether a drift opens an issue. */
export function isAlarm({ kind }: Drift): boolean {
  return kind !== 'new';
}

/**
 * Accepts a difference without its payload: a `missing` member becomes optional, and a `retyped`
 * one takes both kinds. Merging the payload does the same and learns more.
 *
 * @returns false for a `new` member, and for one that the shape doesn't have
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

/** @param path the place's path. It is unchanged when this returns */
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
