import { areDataNames } from '../../core/shapes/data-names.ts';
import { anyShape, fieldsToValues, type TypeShape } from './shape.ts';

/** An object with this many members that are alike is a map, because its names are data. */
const MIN_ALIKE = 10;
/**
 * How many members such alike objects must have themselves. One isn't enough: each entry of
 * `_links` has only `href`.
 */
const MIN_ALIKE_MEMBERS = 2;

/**
 * Removes from a shape the details that one event can't prove:
 * - A place where only null was seen accepts any value.
 * - An object without members accepts any members.
 * - An object is a map if its member names are data, or if its members are all alike.
 */
export function settleShape(shape: TypeShape): void {
  if (isDictionary(shape)) fieldsToValues(shape);
  if (shape.objects > 0 && shape.fields.size === 0) shape.values ??= anyShape();
  if (isOnlyNull(shape)) shape.isAny = true;
  for (const field of shape.fields.values()) settleShape(field.shape);
  if (shape.values) settleShape(shape.values);
  if (shape.items) settleShape(shape.items);
}

function isDictionary({ fields }: TypeShape): boolean {
  return areDataNames([...fields.keys()]) || areAlike([...fields.values()].map((it) => it.shape));
}

function areAlike(shapes: readonly TypeShape[]): boolean {
  const [first, ...others] = shapes;
  if (first === undefined || shapes.length < MIN_ALIKE) return false;
  const names = [...first.fields.keys()];
  return (
    names.length >= MIN_ALIKE_MEMBERS &&
    others.every(({ fields }) => fields.size === names.length && names.every((n) => fields.has(n)))
  );
}

function isOnlyNull(shape: TypeShape): boolean {
  const { isNull, isBoolean, isString, number, objects, items } = shape;
  return isNull && !isBoolean && !isString && number === null && objects === 0 && items === null;
}
