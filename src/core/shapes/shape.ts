/**
 * How many members a shape may have. Limits its memory. GitHub's largest types have about 1,000.
 */
export const MAX_MEMBERS = 5000;
/** About how much memory a shape's members and literal values may take, bytes. */
export const MAX_BYTES = 256 * 1024;
/** How many names an object may have. More make it a map. GitHub's repositories have about 100. */
export const MAX_NAMES = 300;
/** How long the name of a member may be, characters. Longer names are data. */
export const MAX_NAME_LENGTH = 120;
/**
 * How many levels a shape may have. Deeper values may be anything. With 32 levels, tsc couldn't
 * infer the types of zod schemas.
 */
export const MAX_DEPTH = 16;
/** How many values an enumeration may have. */
export const MAX_VALUES = 12;
/** How many literal values a shape may have, to limit the number of events that prove them. */
export const MAX_LITERALS = 1000;

/**
 * Describes all payloads of one type of event: the union of the values at each place.
 *
 * A shape keeps the names of members, the kinds of their values, and how often each occurred. It
 * also keeps some data of single events:
 *
 * - Strings that may be values of an enumeration. The shape remembers which events prove each of
 *   them (`neededEvents`, `forget`).
 * - Names of members, which it keeps from the first event on. If the names turn out to be data
 *   (ids, addresses, dates), their object becomes a map, and the shape forgets them.
 */
export interface PayloadShape {
  root: ShapePlace;
  /** How many payloads were merged. */
  payloads: number;
  /** How many members all objects have together, at most `MAX_MEMBERS`. */
  members: number;
  /** How many literal values all places have together, at most `MAX_LITERALS`. */
  literals: number;
  /** Memory of names and values, at most about `MAX_BYTES`. */
  bytes: number;
}

/** The union of the values at one place of the payloads. */
export interface ShapePlace {
  /** The kinds of values seen here: members of `KIND`, combined by `|`. */
  kinds: number;
  /** How many objects were seen here. */
  objects: number;
  /** The members of those objects. Null for a map. */
  members: Map<string, ShapeMember> | null;
  /** The values of a map. */
  entries: ShapePlace | null;
  /** The items of the arrays seen here. Null if all arrays were empty. */
  items: ShapePlace | null;
  texts: Texts | null;
}

export interface ShapeMember {
  place: ShapePlace;
  /** How many objects have the member. */
  seen: number;
  /** The number of the last object that has the member, from 1. */
  last: number;
  /**
   * How many objects came before the present run. In the run, which goes from `since + 1` to
   * `last`, every object has the member.
   */
  since: number;
}

/** The strings at one place. */
export interface Texts {
  seen: number;
  /** The formats that all the strings have: members of `FORMAT`, combined by `|`. */
  formats: number;
  /** How many different values there were, including forgotten ones. */
  distinct: number;
  /** The values of an enumeration. Null if there are too many, or if they aren't words. */
  values: Map<string, Literal> | null;
}

export interface Literal {
  /** How many events have the value. */
  count: number;
  /** The numbers of the newest events that have the value, ascending. */
  events: number[];
}

export const KIND = {
  null: 1,
  boolean: 2,
  /** A whole number that a double holds exactly. */
  integer: 4,
  /** A larger whole number that fits 64 signed bits. */
  long: 8,
  /** Any other number, also a whole number with a point or an exponent. */
  fraction: 16,
  string: 32,
  object: 64,
  array: 128,
  /** The place is too deep for the shape to describe, so any value fits. */
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
