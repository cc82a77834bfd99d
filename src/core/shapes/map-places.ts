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

/** How many alike members make an object a map. Its names are then data. */
const MIN_ALIKE = 10;
/**
 * How many members alike objects have at least. One would be too few: in HAL, each entry of
 * `_links` has only `href`.
 */
const MIN_ALIKE_NAMES = 2;
/** Rare names are data only if there are at least this many objects and names. */
const MIN_RARE_OBJECTS = 10;
const MIN_RARE_NAMES = 20;
/** A name is rare if, on average, at most this share of the objects has it. */
const RARE = 0.1;

const SCALARS = KIND.boolean | KIND.integer | KIND.long | KIND.fraction | KIND.string;

/**
 * Returns whether the names of a place's objects are data. This is so in any of these cases:
 *
 * - all names are ids, dates, languages or similar;
 * - ten or more members are objects with the same two or more names;
 * - there are twenty or more names in ten or more objects, an average object has at most a tenth of
 *   the names, and the values are of one sort (scalars, objects or arrays).
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

/** Turns the objects at a place into maps, and forgets their names. */
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
