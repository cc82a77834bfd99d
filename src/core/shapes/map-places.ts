import { areDataNames } from './data-names.ts';
import { mergeTexts } from './note-text.ts';
import {
  countPlace,
  KIND,
  newPlace,
  type PayloadShape,
  type ShapeMember,
  type ShapePlace,
} from './shape.ts';

/** The smallest number of alike members that makes an object a map. */
const MIN_ALIKE = 10;
/**
 * The smallest number of names in alike members. One is too few: in HAL, each entry of `_links` has
 * only `href`.
 */
const MIN_ALIKE_NAMES = 2;
/** Rare names are data only in at least this many objects and with at least this many names. */
const MIN_RARE_OBJECTS = 10;
const MIN_RARE_NAMES = 20;
/** The largest average share of the objects that a rare name occurs in. */
const RARE = 0.1;

const SCALARS = KIND.boolean | KIND.integer | KIND.long | KIND.fraction | KIND.string;

/**
 * Returns whether the names of a place's objects are data. The cases are:
 *
 * - all names are ids, dates, languages or similar;
 * - ten or more members are objects with the same two or more names;
 * - twenty or more names occur in ten or more objects, each name on average in at most a tenth, and
 * all values are of one sort (scalars, objects or arrays).
 */
export function isMap(place: ShapePlace): boolean {
  if (place.members === null) return true;
  const members = [...place.members.values()];
  return (
    areDataNames([...place.members.keys()]) ||
    areRare(place.objects, members) ||
    areAlike(members.map((member) => member.place))
  );
}

function areRare(objects: number, members: readonly ShapeMember[]): boolean {
  if (objects < MIN_RARE_OBJECTS || members.length < MIN_RARE_NAMES) return false;
  const seen = members.reduce((sum, member) => sum + member.seen, 0);
  if (seen > members.length * objects * RARE) return false;
  const kinds = members.reduce((all, { place }) => all | place.kinds, 0);
  const sorts = [SCALARS, KIND.object, KIND.array].filter((sort) => kinds & sort);
  return sorts.length <= 1;
}

function areAlike(places: readonly ShapePlace[]): boolean {
  const [first, ...others] = places;
  if (first === undefined || places.length < MIN_ALIKE || !first.members) return false;
  const names = [...first.members.keys()];
  return (
    names.length >= MIN_ALIKE_NAMES &&
    others.every(
      ({ members }) => members?.size === names.length && names.every((name) => members.has(name)),
    )
  );
}

/** Makes the objects at a place maps and forgets their names. */
export function becomeMap(shape: PayloadShape, place: ShapePlace): void {
  countPlace(shape, place, -1);
  toMap(place);
  countPlace(shape, place, 1);
}

function toMap(place: ShapePlace): void {
  place.entries ??= newPlace();
  for (const member of place.members?.values() ?? []) mergePlace(place.entries, member.place);
  place.members = null;
}

/** Merges `from` into `into`. `from` must not be used afterwards. */
function mergePlace(into: ShapePlace, from: ShapePlace): void {
  into.kinds |= from.kinds;
  into.texts = mergeTexts(into.texts, from.texts);
  if (into.members === null || from.members === null) {
    toMap(into);
    toMap(from);
    into.entries = merged(into.entries, from.entries);
  } else {
    for (const [name, { place, seen }] of from.members) {
      const known = into.members.get(name);
      if (known) {
        known.seen += seen;
        mergePlace(known.place, place);
      } else into.members.set(name, { place, seen, last: 0, since: 0 });
    }
  }
  into.objects += from.objects;
  into.items = merged(into.items, from.items);
}

function merged(into: ShapePlace | null, from: ShapePlace | null): ShapePlace | null {
  if (into === null || from === null) return into ?? from;
  mergePlace(into, from);
  return into;
}
