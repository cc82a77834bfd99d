import { anyType, type MemberType, type SchemaType } from '../learned/learned-type.ts';
import type { TypeShape } from './shape.ts';

/** How many levels a parser describes. tsc gives up on the inferred types of deeper zod schemas. */
const MAX_DEPTH = 16;

/**
 * Returns the type of payloads that resemble this one. One payload proves no rule: in the next
 * payload, any member may be absent or null, and any text or number may differ.
 */
export function parsedType(shape: TypeShape, depth = 0): SchemaType {
  if (shape.isAny || depth > MAX_DEPTH) return anyType();
  const type: SchemaType = {
    isAny: false,
    isNull: shape.isNull || depth > 0,
    isBoolean: shape.isBoolean,
    number: shape.number && 'any-number',
    text: shape.isString ? { format: null, values: null } : null,
    ...{ object: null, map: null, items: null },
  };
  if (shape.items)
    type.items = isEmpty(shape.items) ? anyType() : parsedType(shape.items, depth + 1);
  if (shape.values) type.map = parsedType(shape.values, depth + 1);
  else if (shape.objects > 0) type.object = { members: members(shape, depth) };
  return type;
}

function members({ fields }: TypeShape, depth: number): MemberType[] {
  return [...fields].map(([name, { shape }]) => {
    // Every JavaScript object has these, so `{}` doesn't fit `{ toString?: string }`.
    const isInherited = name !== '__proto__' && name in Object.prototype;
    const type = isInherited ? anyType() : parsedType(shape, depth + 1);
    return { name, type, isOptional: true };
  });
}

/** Returns whether only empty arrays were seen. */
function isEmpty(shape: TypeShape): boolean {
  const { isNull, isBoolean, isString, number, objects, items, values } = shape;
  return !isNull && !isBoolean && !isString && !number && objects === 0 && !items && !values;
}
