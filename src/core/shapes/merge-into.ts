import { kindOf } from './kind-of.ts';
import { becomeMap, isMap } from './map-places.ts';
import { noteText } from './note-text.ts';
import type { JsonPayload } from './payload.ts';
import {
  KIND,
  MAX_BYTES,
  MAX_DEPTH,
  MAX_MEMBERS,
  MAX_NAME_LENGTH,
  MAX_NAMES,
  memberBytes,
  newPlace,
  type PayloadShape,
  type ShapeMember,
  type ShapePlace,
} from './shape.ts';

/**
 * Adds a payload to a shape. Afterwards the same payload doesn't drift. A full shape learns no more
 * names.
 *
 * @param seq the event's number; later events have larger numbers
 */
export function mergeInto(shape: PayloadShape, payload: JsonPayload, seq: number): void {
  shape.payloads++;
  mergeValue(shape, shape.root, payload.value, seq, 0);
}

function mergeValue(
  shape: PayloadShape,
  place: ShapePlace,
  value: unknown,
  seq: number,
  depth: number,
): void {
  const kind = kindOf(value);
  if (depth >= MAX_DEPTH) {
    place.kinds |= KIND.any;
    return;
  }
  place.kinds |= kind;
  if (kind === KIND.string) noteText(shape, place, value as string, seq);
  else if (kind === KIND.object) {
    mergeObject(shape, place, value as Record<string, unknown>, seq, depth);
  } else if (kind === KIND.array) {
    const items = value as unknown[];
    if (items.length > 0) place.items ??= newPlace();
    for (const item of items) mergeValue(shape, place.items as ShapePlace, item, seq, depth + 1);
  }
}

function mergeObject(
  shape: PayloadShape,
  place: ShapePlace,
  object: Record<string, unknown>,
  seq: number,
  depth: number,
): void {
  place.objects++;
  const before = place.members?.size;
  for (const name of Object.keys(object)) {
    const member = place.members?.get(name) ?? addMember(shape, place, name);
    if (member) {
      noteMember(member, place.objects);
      mergeValue(shape, member.place, object[name], seq, depth + 1);
    } else if (place.entries) {
      mergeValue(shape, place.entries, object[name], seq, depth + 1);
    }
  }
  const hasNewNames = place.members !== null && place.members.size !== before;
  if (hasNewNames && isMap(place)) becomeMap(shape, place);
}

/**
 * Adds a member to a place. Returns undefined if the place is a map, if the shape is full, or if
 * UTF-8 can't encode the name. Too long a name, or too many names, make the place a map.
 */
function addMember(shape: PayloadShape, place: ShapePlace, name: string): ShapeMember | undefined {
  if (place.members === null) return undefined;
  if (name.length > MAX_NAME_LENGTH || place.members.size >= MAX_NAMES) {
    becomeMap(shape, place);
    return undefined;
  }
  const isFull = shape.members >= MAX_MEMBERS || shape.bytes >= MAX_BYTES;
  if (isFull || !name.isWellFormed()) return undefined;
  shape.members++;
  shape.bytes += memberBytes(name);
  const member: ShapeMember = { place: newPlace(), seen: 0, last: 0, since: 0 };
  place.members.set(name, member);
  return member;
}

function noteMember(member: ShapeMember, object: number): void {
  if (member.last !== object - 1) member.since = object - 1;
  member.last = object;
  member.seen++;
}
