/** Most members of a shape. Bounds its memory. GitHub's largest types have about 1,000. */
export const MAX_MEMBERS = 5000;
/** About the most bytes of memory for a shape's members and literal values. */
export const MAX_BYTES = 256 * 1024;
/** Most names of an object. One with more is a map. GitHub's repositories have about 100. */
export const MAX_NAMES = 300;
/** Longest name of a member, characters. Longer names are data. */
export const MAX_NAME_LENGTH = 120;
/**
 * Most levels of a shape. Deeper values may be anything. With 32 levels, tsc can't infer the types
 * of zod schemas.
 */
export const MAX_DEPTH = 16;
/** Most values of an enumeration. */
export const MAX_VALUES = 12;
/** Most literal values of a shape. Bounds the events that prove them. */
export const MAX_LITERALS = 1000;

/**
 * What all payloads of one type of event have in common: the union of the values at each place.
 *
 * A shape keeps the names of members, the kinds of their values, and how often they came. Two of
 * these are data of single events:
 *
 * - texts that may be values of an enumeration. Each keeps the events that prove it
 *   (`neededEvents`, `forget`);
 * - names of members, from the first event that has them. An object whose names are data (ids,
 *   addresses, dates) becomes a map and loses its names. Other objects keep theirs.
 */
export interface PayloadShape {
  root: ShapePlace;
  /** Payloads that were merged. */
  payloads: number;
  /** Members of all objects, at most `MAX_MEMBERS`. */
  members: number;
  /** Literal values of all places, at most `MAX_LITERALS`. */
  literals: number;
  /** Memory of names and values, at most about `MAX_BYTES`. */
  bytes: number;
}

/** The union of the values at one place of the payloads. */
export interface ShapePlace {
  /** The kinds of values seen here, of `KIND`. */
  kinds: number;
  /** Objects seen here. */
  objects: number;
  /** The members of those objects. Null for a map. */
  members: Map<string, ShapeMember> | null;
  /** The values of a map. */
  entries: ShapePlace | null;
  /** The items of the arrays seen here. Null where all were empty. */
  items: ShapePlace | null;
  texts: Texts | null;
}

export interface ShapeMember {
  place: ShapePlace;
  /** Objects that have it. */
  seen: number;
  /** The number of the last object that has it, from 1. */
  last: number;
  /** Objects before the present run: every object from `since + 1` to `last` has the member. */
  since: number;
}

/** The strings at one place. */
export interface Texts {
  seen: number;
  /** The formats of `FORMAT` that all strings have. */
  formats: number;
  /** Number of different values, including forgotten ones. */
  distinct: number;
  /** Null where there are too many values, or where they aren't words. */
  values: Map<string, Literal> | null;
}

export interface Literal {
  /** Events that have the value. */
  count: number;
  /** The numbers of the newest events that have it, ascending. */
  events: number[];
}

export const KIND = {
  null: 1,
  boolean: 2,
  /** A whole number that a double holds exactly. */
  integer: 4,
  /** A larger whole number that fits 64 signed bits. */
  long: 8,
  /** Any other number, and a whole number with a point or an exponent. */
  fraction: 16,
  string: 32,
  object: 64,
  array: 128,
  /** The shape doesn't describe this place. */
  any: 256,
} as const;

export const FORMAT = { dateTime: 1, date: 2, uuid: 4, url: 8, email: 16 } as const;

/** Estimated size of a member without its name, bytes. */
const MEMBER_BYTES = 24;

export function newShape(): PayloadShape {
  return { root: newPlace(), payloads: 0, members: 0, literals: 0, bytes: 0 };
}

export function newPlace(): ShapePlace {
  return { kinds: 0, objects: 0, members: new Map(), entries: null, items: null, texts: null };
}

export function memberBytes(name: string): number {
  return name.length + MEMBER_BYTES;
}

/** Adds a place's members and values to a shape's counts, or subtracts them. */
export function countPlace(shape: PayloadShape, place: ShapePlace, sign: 1 | -1): void {
  for (const [name, member] of place.members ?? []) {
    shape.members += sign;
    shape.bytes += sign * memberBytes(name);
    countPlace(shape, member.place, sign);
  }
  for (const value of place.texts?.values?.keys() ?? []) {
    shape.literals += sign;
    shape.bytes += sign * memberBytes(value);
  }
  if (place.entries) countPlace(shape, place.entries, sign);
  if (place.items) countPlace(shape, place.items, sign);
}
