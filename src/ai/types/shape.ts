/**
 * What is known of the values found at one place of a payload: all of them
 * together, the items of an array for instance.
 *
 * This is the step between payload and quicktype. quicktype's own inference
 * keeps every value in memory, recurses as deep as the payload goes, and stumbles over
 * a key named `__proto__`; a shape is only as large as the payload is varied.
 */
export interface Shape {
  isNull: boolean;
  isBoolean: boolean;
  isString: boolean;
  /**
   * The texts seen, where each names a kind of event; null where texts are
   * any, or too many kinds were seen.
   */
  kinds: Set<string> | null;
  number: NumberKind | null;
  /** Objects seen here. */
  objects: number;
  /** The members of those objects, by name; empty once they are `values`. */
  fields: Map<string, Field>;
  /** The values of objects that have too many names to list, or names no one would write. */
  values: Shape | null;
  /** The items of the arrays seen here. */
  items: Shape | null;
  /** Something is here that isn't described further. */
  isAny: boolean;
}

export interface Field {
  shape: Shape;
  /** How many of the objects have it. */
  seen: number;
  /** The object that had it last, by its number, while a text is read. */
  lastObject: number;
}

/**
 * `integer` fits 64 bits, signed. `double` is everything else: written with a
 * point or an exponent, or larger.
 */
export type NumberKind = 'integer' | 'double';

export function emptyShape(): Shape {
  return {
    isNull: false,
    isBoolean: false,
    isString: false,
    kinds: null,
    number: null,
    objects: 0,
    fields: new Map(),
    values: null,
    items: null,
    isAny: false,
  };
}

export function anyShape(): Shape {
  return { ...emptyShape(), isAny: true };
}

/** Adds to `into` what is known of `from`, which must not be used afterwards. Recurses as deep as shapes go. */
function mergeShape(into: Shape, from: Shape): void {
  into.isNull ||= from.isNull;
  into.isBoolean ||= from.isBoolean;
  into.isString ||= from.isString;
  into.isAny ||= from.isAny;
  // The members of a map name nothing.
  into.kinds = null;
  if (from.number !== null) addNumber(into, from.number);
  into.objects += from.objects;
  if (into.values !== null || from.values !== null) {
    fieldsToValues(into);
    fieldsToValues(from);
    into.values = merged(into.values, from.values);
  }
  for (const [name, field] of from.fields) {
    const known = into.fields.get(name);
    if (known) {
      known.seen += field.seen;
      mergeShape(known.shape, field.shape);
    } else into.fields.set(name, field);
  }
  into.items = merged(into.items, from.items);
}

/** From now on the objects here are maps: all their members in one. */
export function fieldsToValues(shape: Shape): void {
  if (shape.objects === 0) return;
  shape.values ??= emptyShape();
  for (const field of shape.fields.values()) mergeShape(shape.values, field.shape);
  shape.fields.clear();
}

export function addNumber(shape: Shape, kind: NumberKind): void {
  shape.number = shape.number === null || shape.number === kind ? kind : 'double';
}

/** How many members all objects in here have. */
export function countMembers(shape: Shape): number {
  let count = 0;
  for (const field of shape.fields.values()) count += 1 + countMembers(field.shape);
  if (shape.values) count += 1 + countMembers(shape.values);
  if (shape.items) count += countMembers(shape.items);
  return count;
}

function merged(into: Shape | null, from: Shape | null): Shape | null {
  if (into === null || from === null) return into ?? from;
  mergeShape(into, from);
  return into;
}
