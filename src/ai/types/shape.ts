/**
 * The union of all values at one place of a payload, such as the items of an array.
 * Its size depends only on the variety of the payload.
 */
export interface TypeShape {
  isNull: boolean;
  isBoolean: boolean;
  isString: boolean;
  /**
   * The texts that were seen. Null if a text doesn't name a kind of event, or if there are too many
   * kinds.
   */
  kinds: Set<string> | null;
  number: NumberKind | null;
  objects: number;
  /** The members of those objects, by name. Empty if the objects are a map. */
  fields: Map<string, TypeField>;
  /**
   * The values of a map. Objects become a map if they have too many names, or names that are data.
   */
  values: TypeShape | null;
  items: TypeShape | null;
  isAny: boolean;
}

interface TypeField {
  shape: TypeShape;
  /** How many objects have the member. */
  seen: number;
  /** The number of the last object that had the member. It is used only while a text is read. */
  lastObject: number;
}

/** `integer`: a whole number in a signed 64-bit integer's range. `double`: any other number. */
export type NumberKind = 'integer' | 'double';

export function emptyShape(): TypeShape {
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

export function anyShape(): TypeShape {
  return { ...emptyShape(), isAny: true };
}

/**
 * Merges `from` into `into`. Callers must not use `from` afterwards. Recurses to `MAX_DEPTH` at
 * most.
 */
function mergeShape(into: TypeShape, from: TypeShape): void {
  into.isNull ||= from.isNull;
  into.isBoolean ||= from.isBoolean;
  into.isString ||= from.isString;
  into.isAny ||= from.isAny;
  // The members of a map don't tell the kind of event.
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

/** Turns a shape's objects into maps, and merges their members into `values`. */
export function fieldsToValues(shape: TypeShape): void {
  if (shape.objects === 0) return;
  shape.values ??= emptyShape();
  for (const field of shape.fields.values()) mergeShape(shape.values, field.shape);
  shape.fields.clear();
}

export function addNumber(shape: TypeShape, kind: NumberKind): void {
  shape.number = shape.number === null || shape.number === kind ? kind : 'double';
}

/** Returns the number of members of all objects in a shape. */
export function countMembers(shape: TypeShape): number {
  let count = 0;
  for (const field of shape.fields.values()) count += 1 + countMembers(field.shape);
  if (shape.values) count += 1 + countMembers(shape.values);
  if (shape.items) count += countMembers(shape.items);
  return count;
}

function merged(into: TypeShape | null, from: TypeShape | null): TypeShape | null {
  if (into === null || from === null) return into ?? from;
  mergeShape(into, from);
  return into;
}
