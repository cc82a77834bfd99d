import { deflateRawSync, inflateRawSync } from 'node:zlib';
import {
  countPlace,
  type Literal,
  newShape,
  type PayloadShape,
  type ShapeMember,
  type ShapePlace,
  type Texts,
} from './shape.ts';

/** The version of the stored form. A shape with another version is learned again from events. */
export const SHAPE_VERSION = 1;
/** The largest stored shape, bytes. */
export const MAX_STORED_BYTES = 64 * 1024;
/** The largest inflated shape, bytes. */
const MAX_INFLATED_BYTES = 4 * 1024 * 1024;
/** The numbers of members that a too large shape may keep, tried in turn. */
const FEWER_MEMBERS = [4000, 2500, 1500, 800, 400];

/** The stored form of a place: an array without trailing zeros. */
type StoredPlace = [
  kinds: number,
  objects?: number,
  members?: StoredMember[] | 0,
  entries?: StoredPlace | 0,
  items?: StoredPlace | 0,
  texts?: StoredTexts | 0,
];

/** The stored form of a member. Its last three numbers are 0 if every object has the member. */
type StoredMember = [
  name: string,
  place: StoredPlace,
  absences: number,
  sinceLast: number,
  since: number,
];

type StoredTexts = [seen: number, formats: number, distinct: number, values: StoredValue[] | 0];
type StoredValue = [value: string, count: number, ...events: number[]];

interface Limits {
  members: number;
  hasLiterals: boolean;
}

/**
 * Returns the stored form of a shape: its version, then JSON compressed by DEFLATE. A shape above
 * `MAX_STORED_BYTES` loses its literal values first, then some members.
 */
export function storedShape(shape: PayloadShape): Uint8Array {
  const tries: Limits[] = [
    { members: Number.POSITIVE_INFINITY, hasLiterals: true },
    ...[Number.POSITIVE_INFINITY, ...FEWER_MEMBERS].map((members) => ({
      members,
      hasLiterals: false,
    })),
  ];
  let stored = new Uint8Array();
  for (const limits of tries) {
    const json = JSON.stringify([shape.payloads, storePlace(shape.root, limits)]);
    stored = Buffer.concat([Uint8Array.of(SHAPE_VERSION), deflateRawSync(json)]);
    if (stored.length <= MAX_STORED_BYTES) break;
  }
  return stored;
}

/** Reads a stored shape. Returns undefined for another version or damaged bytes. */
export function readStoredShape(stored: Uint8Array): PayloadShape | undefined {
  if (stored[0] !== SHAPE_VERSION) return undefined;
  try {
    const json = inflateRawSync(stored.subarray(1), { maxOutputLength: MAX_INFLATED_BYTES });
    const [payloads, root] = JSON.parse(json.toString()) as [number, StoredPlace];
    const shape: PayloadShape = { ...newShape(), root: readPlace(root), payloads };
    countPlace(shape, shape.root, 1);
    return shape;
  } catch {
    return undefined;
  }
}

function storePlace(place: ShapePlace, limits: Limits): StoredPlace {
  const stored: StoredPlace = [
    place.kinds,
    place.objects,
    // A map has `entries` instead of `members`.
    place.members?.size ? storeMembers(place.members, place.objects, limits) : 0,
    place.entries ? storePlace(place.entries, limits) : 0,
    place.items ? storePlace(place.items, limits) : 0,
    place.texts ? storeTexts(place.texts, limits) : 0,
  ];
  while (stored.length > 1 && stored.at(-1) === 0) stored.pop();
  return stored;
}

function storeMembers(
  members: ReadonlyMap<string, ShapeMember>,
  objects: number,
  limits: Limits,
): StoredMember[] {
  const stored: StoredMember[] = [];
  for (const [name, { place, seen, last, since }] of members) {
    if (limits.members-- <= 0) break;
    stored.push([name, storePlace(place, limits), objects - seen, objects - last, since]);
  }
  return stored;
}

function storeTexts(texts: Texts, { hasLiterals }: Limits): StoredTexts {
  const values =
    hasLiterals && texts.values
      ? [...texts.values].map(
          ([value, { count, events }]): StoredValue => [value, count, ...events],
        )
      : 0;
  return [texts.seen, texts.formats, texts.distinct, values];
}

function readPlace([kinds, objects, members, entries, items, texts]: StoredPlace): ShapePlace {
  return {
    kinds,
    objects: objects ?? 0,
    members: entries ? null : new Map((members || []).map((it) => readMember(it, objects ?? 0))),
    entries: entries ? readPlace(entries) : null,
    items: items ? readPlace(items) : null,
    texts: texts ? readTexts(texts) : null,
  };
}

function readMember(
  [name, place, absences, sinceLast, since]: StoredMember,
  objects: number,
): [string, ShapeMember] {
  const member = { seen: objects - absences, last: objects - sinceLast, since };
  return [name, { place: readPlace(place), ...member }];
}

function readTexts([seen, formats, distinct, values]: StoredTexts): Texts {
  if (!values) return { seen, formats, distinct, values: null };
  const read = values.map(([value, count, ...events]): [string, Literal] => [
    value,
    { count, events },
  ]);
  return { seen, formats, distinct, values: new Map(read) };
}
