import { parsePath } from '../rules/path.ts';
import { type Drift, isAlarm, MAX_DRIFTS } from './drift-of.ts';
import { mergeInto } from './merge-into.ts';
import type { JsonPayload } from './payload.ts';
import type { PayloadShape, ShapeMember, ShapePlace } from './shape.ts';

/** A drifting member, which the merge must not change. */
interface Held {
  parent: ShapePlace;
  member: ShapeMember;
  name: string;
  object: Record<string, unknown>;
}

/**
 * Adds a payload to a shape without its drifting members. These count as present and unchanged. So
 * they stay steady, and the next payload with the same difference drifts too.
 *
 * The shape learns nothing from a payload that drifts as a whole or in `MAX_DRIFTS` members.
 *
 * Removes the drifting members from the payload object.
 *
 * @param drifts the result of `driftOf`
 * @param seq the event's number; later events have larger numbers
 */
export function mergeAllBut(
  shape: PayloadShape,
  payload: JsonPayload,
  seq: number,
  drifts: readonly Drift[],
): void {
  const alarms = drifts.filter(isAlarm);
  if (alarms.length >= MAX_DRIFTS) return;
  const held: Held[] = [];
  for (const { path } of alarms) {
    const found = heldAt(shape, payload, path);
    if (!found) return;
    held.push(found);
  }
  for (const { object, name } of held) delete object[name];
  mergeInto(shape, payload, seq);
  for (const { parent, member, name } of held) {
    // The parent may have become a map.
    if (parent.members?.get(name) !== member) continue;
    member.seen++;
    member.last = parent.objects;
  }
}

/** Finds the member at a drift's path. Returns null if the whole payload drifts. */
function heldAt(shape: PayloadShape, payload: JsonPayload, path: string): Held | null {
  const [, ...names] = parsePath(path);
  let place = shape.root;
  let value = payload.value;
  let held: Held | null = null;
  for (const name of names) {
    const member = place.members?.get(name as string);
    if (!member) return null;
    const object = value as Record<string, unknown>;
    held = { parent: place, member, name: name as string, object };
    place = member.place;
    value = object[name as string];
  }
  return held;
}
