/**
 * The largest number of members of a shape, to limit memory. GitHub's largest types have about
 * 1,000.
 */
export const MAX_MEMBERS = 5000;
/** The approximate memory limit for a shape's members and literal values, bytes. */
export const MAX_BYTES = 256 * 1024;
/**
 * The largest number of names of an object. More make it a map. GitHub's repositories have about
 * 100.
 */
export const MAX_NAMES = 300;
/** The longest name of a member, characters. Longer names are data. */
export const MAX_NAME_LENGTH = 120;
/**
 * The number of levels that a shape describes. Deeper values may be anything. With 32 levels, tsc
 * couldn't infer the types of zod schemas.
 */
export const MAX_DEPTH = 16;
/** The largest number of values of an enumeration. */
export const MAX_VALUES = 12;
/**
 * The largest number of literal values of a shape. It limits the number of events that prove them.
 */
export const MAX_LITERALS = 1000;

/**
 * Describes all payloads of one event type: the union of the values at each place.
 *
 * A shape keeps the names of members, the kinds of their values, and their counts. It also keeps
 * some data of single events:
 *
 * - Strings that may be values of an enumeration, with the events that prove them.
 * - Names of members, from the first event on. If the names turn out to be data, their object
 * becomes a map, and the shape forgets them.
 */
export interface PayloadShape {
  root: ShapePlace;
  /** The number of merged payloads. */
  payloads: number;
  /** The number of members in all objects, at most `MAX_MEMBERS`. */
  members: number;
  /** The number of literal values at all places, at most `MAX_LITERALS`. */
  literals: number;
  /** The memory of names and values, bytes, at most about `MAX_BYTES`. */
  bytes: number;
}

export interface ShapePlace {
  /** The kinds of values seen here, as bits of `KIND`. */
  kinds: number;
  /** The number of objects seen here. */
  objects: number;
  /** The members of those objects. Null for a map. */
  members: Map<string, ShapeMember> | null;
  /** The union of a map's values. Null if the place is no map. */
  entries: ShapePlace | null;
  /** The union of the items of all arrays here. Null if all arrays were empty. */
  items: ShapePlace | null;
  texts: Texts | null;
}

export interface ShapeMember {
  place: ShapePlace;
  /** The number of objects that have the member. */
  seen: number;
  /** The number of the last object with the member, from 1. */
  last: number;
  /**
   * The number of objects before the present run. All objects from `since + 1` to `last` have the
   * member.
   */
  since: number;
}

/** The strings at one place. */
export interface Texts {
  seen: number;
  /** The formats that all the strings have, as bits of `FORMAT`. */
  formats: number;
  /** The number of different values, including forgotten values. */
  distinct: number;
  /** The values of an enumeration. Null if there are too many, or if they aren't words. */
  values: Map<string, Literal> | null;
}

export interface Literal {
  /** The number of events that have the value. */
  count: number;
  /** The numbers of the newest events with the value, ascending. */
  events: number[];
}

export const KIND = {
  null: 1,
  boolean: 2,
  /** A whole number that a double represents exactly. */
  integer: 4,
  /** A larger whole number that fits into 64 signed bits. */
  long: 8,
  /** Any other number, and a whole number with a point or an exponent. */
  fraction: 16,
  string: 32,
  object: 64,
  array: 128,
  /** Any value, because the place is too deep to describe. */
  any: 256,
} as const;

export const FORMAT = { dateTime: 1, date: 2, uuid: 4, url: 8, email: 16 } as const;

/** The estimated size of a member without its name, bytes. */
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
