import { parsePath, pathText } from '../rules/path.ts';
import { MAX_STEPS } from '../rules/rule-limits.ts';
import { type KindName, kindNames, kindOf } from './kind-of.ts';
import type { JsonPayload } from './payload.ts';
import { KIND, type PayloadShape, type ShapeMember, type ShapePlace } from './shape.ts';

/** The number of objects in a row that must have a member. Only then is its absence a drift. */
const STEADY_OBJECTS = 50;
/**
 * If a member was absent before, this many absences must be expected in its run. A run without any
 * absence then has a chance of e^-20, or 2 in 10^9.
 */
const EXPECTED_ABSENCES = 20;
/**
 * This number, divided by the number of absences, is added to the number of objects before the run.
 * Otherwise one absence among the first few objects would look like a high rate.
 */
const FEW_ABSENCES = 20;
/** The largest number of drifts that are listed for one payload. */
export const MAX_DRIFTS = 20;

/** A difference between a payload and the earlier payloads of its type. */
export interface Drift {
  /** `missing` and `retyped` are alarms. `new` is a note. */
  kind: 'missing' | 'retyped' | 'new';
  /** The member's path, as in rules: `body.customer."e.mail"`. */
  path: string;
  /** The kinds of the member's earlier values. Empty for `new`. */
  expected: KindName[];
  /** The kind of the member's value in this payload. Null for `missing`. */
  seen: KindName | null;
}

/**
 * Returns how a payload differs from the shape: at most `MAX_DRIFTS` differences, alarms first.
 * Must be called before the payload is merged.
 *
 * A member is **steady** if at least the last 50 objects at its place had it. If it was absent
 * earlier, the run must also be too long to be chance. So a member of 9 in 10 payloads doesn't
 * become steady by one run of 50.
 *
 * - `missing`: an object lacks a steady member.
 * - `retyped`: a steady member has a new kind of value. All numbers are one kind. A member that had
 * several kinds, or was ever null, is never retyped.
 * - `new`: an object has a member that all earlier objects lacked, and there were at least 50.
 *
 * Arrays and maps are not compared, because their elements vary. Members below the longest path of
 * a rule (31 names) are not compared either.
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
 * Accepts a difference without its payload. A `missing` member becomes optional. A `retyped` member
 * may have both kinds.
 *
 * @returns false if the member is `new` or isn't in the shape
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
 * @param path the path of the place; restored before the return
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
 * Compares a member's value with its place.
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
